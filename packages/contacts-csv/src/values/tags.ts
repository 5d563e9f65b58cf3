import { type Checked, converted, partsOf } from './value.ts';

/** Separators of tags in other programs, besides the comma. */
const separators = /:::|[,;|]/;

/** Google Contacts adds this to the labels of every contact. */
const isSystemLabel = (tag: string): boolean => /^\* /.test(tag);

/** Mailchimp writes tags like a line of CSV, each in quotes. */
const item = '(?:\\s*"[^"]*(?:""[^"]*)*"\\s*|[^",]*)';
const line = new RegExp(`^${item}(?:,${item})*$`);

/** The text of a contact's tags. Tags that are already separated by commas alone are kept as they are. */
export function checkTags(text: string): Checked {
  if (text.includes('"') && line.test(text)) return checkQuoted(text);
  if (!/:::|[;|]|\* /.test(text)) return { value: text };
  const tags = partsOf(text, separators);
  return { value: tags.filter((tag) => !isSystemLabel(tag)).join(', ') };
}

function checkQuoted(text: string): Checked {
  const tags = [...text.matchAll(/"((?:[^"]|"")*)"|[^",]+/g)]
    .map(([plain, quoted]) => (quoted ?? plain).replaceAll('""', '"').trim())
    .filter((tag) => tag !== '');
  const withoutCommas = tags.map((tag) => partsOf(tag, ',').join(' '));
  const value = withoutCommas.filter((tag) => tag !== '').join(', ');
  const hasComma = tags.some((tag) => tag.includes(','));
  return hasComma ? converted(text, value, ': a comma separates tags') : { value };
}
