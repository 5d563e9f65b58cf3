import type { Checked } from './value.ts';

/** Other programs separate tags by these instead of a comma. */
const separators = /\s*(?::::|[,;|])\s*/;

/** What Google Contacts lists among the labels of every contact. */
const isSystemLabel = (tag: string): boolean => /^\* /.test(tag);

/** The text of a contact's tags. Commas alone separate its tags already, so that such a text stays as it is. */
export function checkTags(text: string): Checked {
  if (!/:::|[;|]|\* /.test(text)) return { value: text };
  const tags = text.split(separators).filter((tag) => tag !== '');
  return { value: tags.filter((tag) => !isSystemLabel(tag)).join(', ') };
}
