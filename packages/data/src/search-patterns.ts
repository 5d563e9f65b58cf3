/** Patterns that compare a word with a text in which words are separated by single spaces, for `like`. */
export interface SearchPatterns {
  /** Words of one or two letters only start a word: shorter parts are everywhere. */
  readonly contains: string;
  /** Words that differ in one letter. None for numbers and for short or very long words. */
  readonly similar: readonly string[];
  /** Few patterns that an index supports, and that match whatever the similar ones match. */
  readonly near: readonly string[];
}

const wildcard = '_';
const lengths = { contained: 3, similar: 4, longest: 30 };

export function searchPatterns(word: string): SearchPatterns {
  const letters = [...word];
  const contains = letters.length < lengths.contained ? `% ${word}%` : `%${word}%`;
  const isSimilar =
    letters.length >= lengths.similar && letters.length <= lengths.longest && !/\d/.test(word);
  return isSimilar
    ? { contains, similar: similarPatterns(letters), near: nearPatterns(letters) }
    : { contains, similar: [], near: [] };
}

const wholeWord = (...letters: readonly string[]) => `% ${letters.join('')} %`;

/** A letter is replaced, missing, added, or swapped with the next. */
function similarPatterns(letters: readonly string[]): string[] {
  const around = (at: number, count: number) => [letters.slice(0, at), letters.slice(at + count)] as const;
  const patterns = letters.flatMap((letter, at) => {
    const [before, after] = around(at, 1);
    const next = letters[at + 1];
    const [, afterNext] = around(at, 2);
    return [
      wholeWord(...before, wildcard, ...after),
      wholeWord(...before, ...after),
      wholeWord(...before, wildcard, letter, ...after),
      ...(next === undefined ? [] : [wholeWord(...before, next, letter, ...afterNext)]),
    ];
  });
  return [...new Set([...patterns, wholeWord(...letters, wildcard)])];
}

/** One wrong letter leaves the first or the second half of a word as it is, unless letters are swapped in the middle. */
function nearPatterns(letters: readonly string[]): string[] {
  const half = Math.floor(letters.length / 2);
  const first = letters.slice(0, half);
  const second = letters.slice(half);
  const swapped = [...first.slice(0, -1), ...second.slice(0, 1), ...first.slice(-1), ...second.slice(1)];
  return [`% ${first.join('')}%`, `%${second.join('')} %`, wholeWord(...swapped)];
}
