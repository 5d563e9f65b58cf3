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

/** Contacts that can be searched. A tag is not copied into contacts, so that renaming it changes one row. */
export const searchedContacts: SearchedModel = {
  ...contactRows,
  search: {
    words: 'contacts.search_text',
    indexedBy: ['owner_user_id', 'assigned_user_id'],
    latest: 'contacts.modified_at',
    others: {
      prepared: seenTags,
      // By the index of tags, however many contacts PostgreSQL expects.
      matching: (match) => `
        select tagged.contact_id as id, seen_tags.search_text as words from seen_tags
        cross join lateral (select contact_id from contact_tags where tag_id = seen_tags.id offset 0) tagged
        where seen_tags.search_text ${match}`,
    },
  },
};
