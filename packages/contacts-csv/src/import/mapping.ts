import { suggestion } from '@crm/contract';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { readCustom } from '../custom-header.ts';
import type { Format } from '../format.ts';
import { plain } from './synonyms.ts';

/** Fields by headers, as given by the operator. An empty field excludes the column; `*` means every other column. */
export type Mapping = ReadonlyMap<string, string>;

/** Reads `Header=field,…`. */
export function readMapping(text: string, format: Format): Mapping {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return mappingOf(
    parts.map((part) => {
      const separator = part.lastIndexOf('=');
      if (separator < 1) {
        throw new ContactsCsvError(
          'InvalidMapping',
          `must have the form Header=field, but contains "${part.trim()}".`,
        );
      }
      return [part.slice(0, separator), part.slice(separator + 1)];
    }),
    format,
  );
}

/** A mapping from pairs of a header and a field. Throws ContactsCsvError for a field that does not exist. */
export function mappingOf(
  pairs: readonly (readonly [header: string, field: string])[],
  format: Format,
): Mapping {
  return new Map(
    pairs.map(([header, given]) => {
      const field = given.trim();
      demandField(field, header.trim(), format);
      return [plain(header), field];
    }),
  );
}

function demandField(field: string, header: string, { cellFields }: Format) {
  const known = field === '' || field === 'custom' || readCustom(field) || cellFields.includes(field);
  if (header === '*' && field !== 'custom')
    throw new ContactsCsvError('InvalidMapping', 'can map all other columns only as *=custom.');
  if (known) return;
  throw new ContactsCsvError(
    'InvalidMapping',
    `refers to an unknown field "${field}".${suggestion(field, cellFields)} Custom fields are custom:Name.`,
  );
}
