import { type Actor, isUser, type Rule } from '@crm/auth';
import type { SearchedModel } from '@crm/data';
import { type Binds, sqlOfRule } from '@crm/query';
import { visibleContacts } from './contact.policy.ts';
import { contactRows } from './contact.queries.ts';

const { columns } = contactRows;

/** The tags of the owners of all contacts that the viewer sees, which are few, rather than of everybody. */
function seenTags(viewer: Actor, binds: Binds): string {
  const rules = isUser(viewer) ? (visibleContacts(viewer).$or as readonly Rule[]) : [];
  const owners = rules.map((rule) =>
    'owner_user_id' in rule
      ? `select unnest(${binds.add([rule.owner_user_id].flat())}::int[])`
      : `select owner_user_id from contacts where ${sqlOfRule(rule, columns, binds)}`,
  );
  const theirs = isUser(viewer) ? `and tags.user_id = any(array(${owners.join(' union ')}))` : '';
  return `seen_tags as materialized (
    select tags.id, tags.search_text from tags where tags.removed_at is null ${theirs})`;
}

const tagged = 'contact_tags join seen_tags on seen_tags.id = contact_tags.tag_id';

/** Contacts that can be searched. A tag is not copied into contacts, so that renaming it changes one row. */
export const searchedContacts: SearchedModel = {
  ...contactRows,
  search: {
    words: 'contacts.search_text',
    owner: { field: 'owner_user_id', sql: '(contacts.owner_user_id + 0)' },
    latest: 'contacts.modified_at',
    others: {
      prepared: seenTags,
      idsWith: (patterns) =>
        `select contact_tags.contact_id from ${tagged} where seen_tags.search_text like any(${patterns})`,
      words: `coalesce((select string_agg(seen_tags.search_text, '' order by position) from ${tagged}
        where contact_tags.contact_id = contacts.id), '')`,
    },
  },
};
