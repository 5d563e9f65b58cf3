import { type ActingClient, Unrepeatable } from '@crm/contacts-csv';
import type { Query } from '@crm/data';
import { lockTags } from '../tags/tag.queries.ts';
import { tagsIn } from '../tags/tags-text.ts';

/**
 * A client that fails instead of adding a tag, a source, a hotness or a custom field: another transaction may be about to add
 * the same, and one would wait for the other.
 */
export function addingNoNames(client: ActingClient, query: Query): ActingClient {
  const { contacts, userId } = client;
  const { customFields, hotnesses, contactSources, importedRows } = contacts;
  const add: typeof importedRows.add = async (sent) => {
    const wanted = new Set(sent.rows.flatMap(({ contact }) => tagsOf(contact)));
    if (wanted.size > 0 && (await lockTags(query, userId, [...wanted])).size < wanted.size) throw adds();
    return importedRows.add(sent);
  };
  const create = () => Promise.reject(adds());
  return {
    ...client,
    contacts: {
      ...contacts,
      customFields: { ...customFields, create },
      hotnesses: { ...hotnesses, create },
      contactSources: { ...contactSources, create },
      importedRows: { ...importedRows, add },
    },
  };
}

const adds = () => new Unrepeatable('The rows need what does not exist yet.');

const tagsOf = (contact: object): string[] =>
  'tags' in contact && typeof contact.tags === 'string'
    ? tagsIn(contact.tags).map(({ content }) => content)
    : [];
