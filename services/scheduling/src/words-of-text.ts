/** SQL for the words of a text, with one line for each attachment. */
export const wordsOf = (text: string, limit: number): string =>
  `left(concat_ws(E'\\n', nullif(${text}.body, ''), nullif(array_to_string(${text}.media_urls, E'\\n'), '')), ${limit})`;
