/** What to look for in a text in which words are separated by single spaces, and which begins and ends with one. */
export interface SearchParts {
  /** What a text that has the word contains. Words of one or two letters only start a word: shorter parts are everywhere. */
  readonly part: string;
  /** A regular expression of words that differ in one letter. None for numbers and for short or very long words. */
  readonly similar: string | undefined;
  /** Few parts of which each text that matches the regular expression contains one. They are found sooner. */
  readonly near: readonly string[];
}

const lengths = { contained: 3, similar: 4, longest: 30 };

export function searchParts(word: string): SearchParts {
  const letters = [...word];
  const part = letters.length < lengths.contained ? ` ${word}` : word;
  const isSimilar =
    letters.length >= lengths.similar && letters.length <= lengths.longest && !/\d/.test(word);
  return isSimilar
    ? { part, similar: similarWords(letters), near: nearParts(letters) }
    : { part, similar: undefined, near: [] };
}

/** A letter is replaced, missing, added, or swapped with the next. Words contain nothing that has a meaning of its own. */
function similarWords(letters: readonly string[]): string {
  const around = (at: number, count: number) => [letters.slice(0, at), letters.slice(at + count)] as const;
  const words = letters.flatMap((letter, at) => {
    const [before, after] = around(at, 1);
    const next = letters[at + 1];
    const [, afterNext] = around(at, 2);
    return [
      [...before, '.', ...after],
      [...before, ...after],
      [...before, '.', letter, ...after],
      ...(next === undefined ? [] : [[...before, next, letter, ...afterNext]]),
    ];
  });
  const each = new Set([...words, [...letters, '.']].map((word) => word.join('')));
  return ` (${[...each].join('|')}) `;
}

/** One wrong letter leaves the first or the second half of a word as it is, unless letters are swapped in the middle. */
function nearParts(letters: readonly string[]): string[] {
  const half = Math.floor(letters.length / 2);
  const first = letters.slice(0, half);
  const second = letters.slice(half);
  const swapped = [...first.slice(0, -1), ...second.slice(0, 1), ...first.slice(-1), ...second.slice(1)];
  return [` ${first.join('')}`, `${second.join('')} `, ` ${swapped.join('')} `];
}
