/** Starts like a formula, or has leading or trailing whitespace that a reader would trim. */
const needsProtection = (text: string): boolean => /^'*[=+\-@\s]/.test(text) || /\s$/.test(text);

/**
 * The text as a cell that no spreadsheet interprets as a formula, because a formula could run a stranger's code, and whose
 * whitespace is kept. A text that only looks protected gets an apostrophe too, so that removing it restores every text.
 */
export function protectCell(text: string): string {
  return needsProtection(text) ? `'${text}` : text;
}

/** The text of a protected cell; any other cell is returned as it is. */
export function unprotectCell(cell: string): string {
  return isProtected(cell) ? cell.slice(1) : cell;
}

export const isProtected = (cell: string): boolean => cell.startsWith("'") && needsProtection(cell);
