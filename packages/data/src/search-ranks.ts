/** What is before and behind a word, best first. A bar follows names, and nothing in other tables. */
export const edges = [
  ['% ', ' %|%'],
  ['% ', ' %'],
  ['% ', '%|%'],
  ['% ', '%'],
  ['%', '%|%'],
  ['%', '%'],
] as const;
/** The ranks of words in other tables, which have no bar. */
export const ranksElsewhere = [1, 3, 5];

/** Cases of SQL for the rank of a word in some words. */
export const ranksOf = (words: string, kinds: readonly string[], ranks = [...kinds.keys()]) =>
  ranks.map((rank) => `when ${words} like ${kinds[rank]} then ${rank}`).join(' ');
