import { isShared } from '@crm/contacts-csv';
import { choice, inWords, text } from '@crm/contract';
import { z } from 'zod';
import { duplicates } from '../imports/import.api.ts';
import type { Confirmed } from '../imports/start-import.queries.ts';
import { maxTagsLength } from '../tags/tag.api.ts';
import type { Shown } from './import-page.queries.ts';
import { recognized } from './mapping-form.ts';
import { fieldLabel } from './texts.ts';

const Form = z.object({
  duplicates,
  tags: text(maxTagsLength).default(''),
  create_missing: choice('true').optional(),
});

/** What a form says about the columns and rows of a file, or what is wrong with it. */
export function readConfirmed(
  form: ReadonlyMap<string, string>,
  { columns }: Pick<Shown, 'columns'>,
): Omit<Confirmed, 'dry_run'> | { readonly problem: string } {
  const read = Form.safeParse(Object.fromEntries(form), { error: inWords });
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      problem: `${fieldLabel(String(issue?.path[0] ?? 'The form'))} ${issue?.message ?? 'is invalid'}.`,
    };
  }
  const chosen = columns.map(({ field }, index) => {
    const value = form.get(`column_${index}`) ?? recognized;
    return { value, field: value === recognized ? field : value };
  });
  const filled = chosen.flatMap(({ field }) => (field && !isShared(field) ? [field] : []));
  const twice = filled.find((field, index) => filled.indexOf(field) !== index);
  if (twice !== undefined)
    return {
      problem: `Two columns fill "${fieldLabel(twice)}". Leave one of them out, or have it fill something else.`,
    };
  const { tags, duplicates, create_missing } = read.data;
  return {
    mapping: chosen.map(({ value }) => (value === recognized ? null : value)),
    duplicates,
    tags: tags.trim() === '' ? null : tags,
    create_missing: create_missing !== undefined,
  };
}
