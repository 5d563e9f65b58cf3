import { scopes } from './token.api.ts';

export type Scope = (typeof scopes)[number];

/**
 * The scopes in a parameter, without duplicates; `write` if it is missing, undefined if a scope is unknown. They are
 * separated by spaces, but shipped clients also send `write,read` and `['write','read']`.
 */
export function readScope(text = ''): readonly Scope[] | undefined {
  if (text.trim() === '') return ['write'];
  const words = [...new Set(text.split(/[\s,'"[\]]+/).filter(Boolean))];
  return words.length > 0 && words.every(isScope) ? words : undefined;
}

/** Returns true if `granted` includes all of `wanted`. */
export function covers(granted: readonly Scope[], wanted: readonly Scope[]): boolean {
  return granted.includes('write') || wanted.every((scope) => granted.includes(scope));
}

/** Parses a stored list of scopes. */
export function scopesIn(stored: string): readonly Scope[] {
  return stored.split(' ').filter(isScope);
}

const isScope = (word: string): word is Scope => scopes.some((scope) => scope === word);
