/** An id if the text is all digits, else the text itself, such as an e-mail address. */
export function idOr(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
