import type { Shown } from './import-page.queries.ts';

/** What is chosen in the form of an import. */
export interface Choices {
  /** The field of each column; empty for one that is left out. */
  readonly fields: readonly string[];
  readonly duplicates: string;
  readonly tags: string;
  readonly create_missing: boolean;
}

/** The choices as an import has them now. */
export const choicesOf = ({ columns, duplicates, tags, create_missing, rows }: Shown): Choices => ({
  fields: columns.map(({ field }) => field ?? ''),
  duplicates,
  tags: tags ?? '',
  create_missing: create_missing || rows === 0,
});

/** The choices as a form sends them. A column that it does not name stays as it is. */
export const choicesIn = (
  form: ReadonlyMap<string, string>,
  { columns }: Pick<Shown, 'columns'>,
): Choices => ({
  fields: columns.map(({ field }, index) => form.get(`column_${index}`) ?? field ?? ''),
  duplicates: form.get('duplicates') ?? '',
  tags: form.get('tags') ?? '',
  create_missing: form.has('create_missing'),
});

/** Whether a field was chosen. Browsers send each line ending in a name as CR LF. */
export const isSame = (sent: string, field: string | null): boolean =>
  sent.replaceAll('\r\n', '\n') === field?.replaceAll('\r\n', '\n');
