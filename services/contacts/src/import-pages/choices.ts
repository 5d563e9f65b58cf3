import { couldAsk, plainName } from '@crm/contract';
import { mappedTo } from '../imports/stored-mapping.ts';
import type { Shown } from './import-page.queries.ts';

/** For a column that could say who gets no messages, until somebody has chosen what it means. */
export const undecided = 'undecided';

type Columns = Pick<Shown, 'columns' | 'mapping' | 'customNames'>;

/** What is chosen in the form of an import. */
export interface Choices {
  /** The field of each column; empty for one that is left out. */
  readonly fields: readonly string[];
  readonly duplicates: string;
  readonly tags: string;
  readonly create_missing: boolean;
}

/** The choices as an import has them now. */
export const choicesOf = (shown: Shown): Choices => ({
  fields: fieldsOf(shown),
  duplicates: shown.duplicates,
  tags: shown.tags ?? '',
  create_missing: shown.create_missing || shown.rows === 0,
});

/** Like any import, a column that fills nothing else fills the custom field with its name. */
const fieldsOf = ({ columns, mapping, customNames }: Columns): string[] =>
  columns.map(({ header, field }, index) => {
    if (field !== null || mappedTo(mapping, index, header) !== null) return field ?? '';
    if (couldAsk(header) !== undefined) return undecided;
    return customNames.has(plainName(header)) ? `custom:${header}` : '';
  });

/** The choices as a form sends them. A column that it does not name stays as it is. */
export const choicesIn = (form: ReadonlyMap<string, string>, shown: Columns): Choices => ({
  fields: fieldsOf(shown).map((field, index) => form.get(`column_${index}`) ?? field),
  duplicates: form.get('duplicates') ?? '',
  tags: form.get('tags') ?? '',
  create_missing: form.has('create_missing'),
});

/** Whether a field was chosen. Browsers send each line ending in a name as CR LF. */
export const isSame = (sent: string, field: string | null): boolean =>
  sent.replaceAll('\r\n', '\n') === field?.replaceAll('\r\n', '\n');
