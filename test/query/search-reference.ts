import { searchWords } from '@crm/contract';

/** A contact as a slow search reads it: its words, those of names apart. */
export interface Searched {
  readonly id: number;
  readonly names: readonly string[];
  readonly others: readonly string[];
  readonly tags: readonly (readonly string[])[];
  readonly modified_at: string;
}

/** Lower-case words without accents, made without the code under test. */
export const wordsOf = (...texts: readonly (string | null | undefined)[]): string[] =>
  texts.flatMap((text) =>
    (text ?? '')
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  );

const groups = ({ names, others, tags }: Searched) => [names, others, ...tags];

const contains = (words: readonly string[], asked: string) =>
  words.some((word) => ([...asked].length < 3 ? word.startsWith(asked) : word.includes(asked)));

/** Whether one letter was added, missing, replaced, or swapped with the next; a space between words is a letter too. */
function isSimilar(words: readonly string[], asked: string): boolean {
  if (/\d/.test(asked) || [...asked].length < 4) return false;
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  return [...words, ...pairs].some((word) => isOneStep(word, asked));
}

function isOneStep(word: string, asked: string): boolean {
  const [a, b] = [[...word], [...asked]];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

function rankOf(contact: Searched, asked: string): number {
  const { names, others, tags } = contact;
  const ranked = (places: readonly (readonly [number, readonly string[]])[]) => {
    const tests = [
      (word: string) => word === asked,
      (word: string) => word.startsWith(asked),
      (word: string) => word.includes(asked),
    ];
    const ranks = tests.flatMap((test, kind) =>
      places.filter(([, words]) => words.some(test)).map(([place]) => kind * 2 + place),
    );
    return Math.min(...ranks, Number.POSITIVE_INFINITY);
  };
  const own = ranked([
    [0, names],
    [1, others],
  ]);
  const tagged = ranked([[1, tags.flat()]]);
  if (Number.isFinite(own)) return own;
  if (Number.isFinite(tagged)) return tagged;
  return isSimilar(names, asked) ? 6 : 7;
}

/** The ids that a search returns, by looking at every contact. */
export function searchReference(contacts: readonly Searched[], asked: string): number[] {
  const words = searchWords(asked);
  const all = (matches: (words: readonly string[], word: string) => boolean) =>
    contacts.filter((contact) =>
      words.every((word) => groups(contact).some((group) => matches(group, word))),
    );
  const exact = all(contains);
  const found =
    exact.length > 0 ? exact : all((texts, word) => contains(texts, word) || isSimilar(texts, word));
  const ranked = found.map((contact) => ({
    ...contact,
    rank: words.reduce((sum, word) => sum + rankOf(contact, word), 0),
  }));
  return ranked
    .sort((a, b) => a.rank - b.rank || b.modified_at.localeCompare(a.modified_at) || a.id - b.id)
    .map(({ id }) => id);
}
