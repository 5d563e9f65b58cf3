/** SQL for the words of a text and a line for each thing that is attached to it. */
export const wordsOf = (text: string, limit: number): string =>
  `left(concat_ws(E'\\n', nullif(${text}.body, ''), nullif(array_to_string(${text}.media_urls, E'\\n'), '')), ${limit})`;
