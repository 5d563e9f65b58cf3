import { type Draft, errorColumns, optOutFields } from '@crm/contacts-csv';
import { couldAsk, optOutField } from '@crm/contract';
import { ContactView } from '../contacts/contact.api.ts';
import { contactsFormat } from '../contacts-format.ts';

type Line = Readonly<Record<string, unknown>>;

const isField = (name: string): boolean => Object.hasOwn(contactsFormat.contact.shape, name);

/** The fields of the contact. Opt-outs are none, and a contact refuses them. */
export const fieldsIn = (line: Line): object =>
  Object.fromEntries(Object.entries(line).filter(([name]) => isField(name)));

/** What an export or a file of errors contains besides the fields of a contact. */
const others = new Set([...Object.keys(ContactView.shape), ...optOutFields.keys(), ...errorColumns]);

const maxNamed = 5;

/** The names that mean no field, as a list; empty if there are none. Those that could mean an opt-out are errors anyway. */
export function unknownIn(line: Line): string {
  const unknown = Object.keys(line).filter(
    (name) =>
      !isField(name) && !others.has(name) && optOutField(name) === undefined && couldAsk(name) === undefined,
  );
  const named = unknown.slice(0, maxNamed).map((name) => `"${name.slice(0, 60)}"`);
  const rest = unknown.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Whether no field of a contact has a value. */
export const isEmpty = (fields: Draft): boolean => Object.values(fields).every(isNothing);

const isNothing = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : String(value ?? '').trim() === '';
