/** `%` matches any characters and `_` one character; there is no escape, and case is ignored. */
export function isLike(text: string, pattern: string): boolean {
  const parts = [...pattern].map((letter) => {
    if (letter === '%') return '[^]*';
    return letter === '_' ? '[^]' : letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'iu').test(text);
}

/** Texts by code points, as the database does, and not by UTF-16 units. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
