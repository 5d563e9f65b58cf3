import { isShared } from '@crm/contacts-csv';
import { choice, inWords, text } from '@crm/contract';
import { z } from 'zod';
import { duplicates } from '../imports/import.api.ts';
import type { Confirmed } from '../imports/start-import.queries.ts';
import { mappedTo } from '../imports/stored-mapping.ts';
import { maxTagsLength } from '../tags/tag.api.ts';
import { choicesIn, isSame, undecided } from './choices.ts';
import type { Shown } from './import-page.queries.ts';
import { fieldLabel } from './texts.ts';

const Form = z.object({
  duplicates,
  tags: text(maxTagsLength).default(''),
  create_missing: choice('true').optional(),
});

/** What a form says about the columns and rows of a file, or what is wrong with it. */
export function readConfirmed(
  form: ReadonlyMap<string, string>,
  shown: Pick<Shown, 'columns' | 'mapping' | 'customNames'>,
): Omit<Confirmed, 'dry_run'> | { readonly problem: string } {
  const read = Form.safeParse(Object.fromEntries(form), { error: inWords });
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      problem: `${fieldLabel(String(issue?.path[0] ?? 'The form'))} ${issue?.message ?? 'is invalid'}.`,
    };
  }
  const { fields } = choicesIn(form, shown);
  const open = shown.columns.find((_, index) => fields[index] === undecided);
  if (open)
    return {
      problem: `Choose what the column "${open.header}" means. It could say who gets no messages.`,
    };
  const filled = fields.filter((field) => field !== '' && !isShared(field));
  const twice = filled.find((field, index) => filled.indexOf(field) !== index);
  if (twice !== undefined)
    return {
      problem: `Two columns fill "${fieldLabel(twice)}". Leave one of them out, or have it fill something else.`,
    };
  const { tags, duplicates, create_missing } = read.data;
  return {
    mapping: shown.columns.map((column, index) => {
      const field = fields[index] ?? '';
      return isSame(field, column.field) ? mappedTo(shown.mapping, index, column.header) : field;
    }),
    duplicates,
    tags: tags.trim() === '' ? null : tags,
    create_missing: create_missing !== undefined,
  };
}
