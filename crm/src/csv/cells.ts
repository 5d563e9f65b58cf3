/**
 * The text as a cell that no spreadsheet takes for a formula, which could run what a stranger wrote. Also a text
 * that only looks protected gets the sign, so that taking it off gives back every text.
 */
export function protectCell(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text that a protected cell stands for; any other cell stands for itself. */
export function unprotectCell(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
