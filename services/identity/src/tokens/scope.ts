/** What a token allows. `write` includes `read`. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

/** The scopes in a parameter, without duplicates; `write` when it is missing, undefined when one of them is unknown. */
export function readScope(text: string | undefined): readonly Scope[] | undefined {
  const words = [...new Set((text ?? '').split(' ').filter(Boolean))];
  if (words.length === 0) return ['write'];
  return words.every(isScope) ? words : undefined;
}

/** Whether `granted` includes all of `wanted`. */
export function covers(granted: readonly Scope[], wanted: readonly Scope[]): boolean {
  return granted.includes('write') || wanted.every((scope) => granted.includes(scope));
}

/** A stored list of scopes. */
export function scopesIn(stored: string): readonly Scope[] {
  return stored.split(' ').filter(isScope);
}

const isScope = (word: string): word is Scope => scopes.some((scope) => scope === word);
