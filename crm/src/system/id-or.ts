/** How a person names a user: what is all digits is an id, anything else an e-mail address. */
export function idOr(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
