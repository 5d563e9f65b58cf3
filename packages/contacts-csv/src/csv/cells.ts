/**
 * A formula for a spreadsheet that expects semicolons or tabs between cells, and therefore splits a cell of this file there. Its
 * quotes then mean nothing to the spreadsheet, so that line endings inside it end rows.
 */
const formulaInside = /([;\t\r\n](?:[^\S\t]|")*)(?='*[=+\-@])/;

/**
 * Starts like a formula, contains one behind a separator or a line ending, or has leading or trailing whitespace that a reader
 * would trim.
 */
const needsProtection = (text: string): boolean =>
  /^'*[=+\-@\s]/.test(text) || formulaInside.test(text) || /\s$/.test(text);

/**
 * The text as a cell that no spreadsheet interprets as a formula, because a formula could run a stranger's code, and whose
 * whitespace is kept. A text that only looks protected gets an apostrophe too, so that removing it restores every text.
 */
export function protectCell(text: string): string {
  return needsProtection(text) ? `'${text.replace(new RegExp(formulaInside, 'g'), "$1'")}` : text;
}

/** The text of a protected cell; any other cell is returned as it is. */
export function unprotectCell(cell: string): string {
  return isProtected(cell) ? cell.slice(1).replace(/([;\t\r\n](?:[^\S\t]|")*)'(?='*[=+\-@])/g, '$1') : cell;
}

export const isProtected = (cell: string): boolean => cell.startsWith("'") && needsProtection(cell);
