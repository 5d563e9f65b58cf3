/**
 * The text as a cell that no spreadsheet reads as a formula, because a formula could run what a stranger wrote. A text
 * that only looks protected gets an apostrophe too, so that removing it restores every text.
 */
export function protectCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text of a protected cell; any other cell is returned as it is. */
export function unprotectCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
