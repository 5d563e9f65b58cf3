import { type Actor, isUser } from '@crm/auth';
import type { SearchedModel } from '@crm/data';
import type { Binds } from '@crm/query';
import { contactRows, ownersSeenBy } from './contact.queries.ts';

/** The tags of the owners of all contacts that the viewer sees, which are few, rather than of everybody. */
function seenTags(viewer: Actor, binds: Binds): string {
  const theirs = isUser(viewer) ? `and tags.user_id = any(array(${ownersSeenBy(viewer, binds)}))` : '';
  return `seen_tags as materialized (
    select tags.id, tags.search_text from tags where tags.removed_at is null ${theirs})`;
}

/** Contacts as they are searched. Tags are not copied into contacts, so that renaming one changes a single row. */
export const searchedContacts: SearchedModel = {
  ...contactRows,
  search: {
    words: 'contacts.search_text',
    indexedBy: ['owner_user_id', 'assigned_user_id'],
    latest: 'contacts.modified_at',
    others: {
      prepared: seenTags,
      // Uses the index of tags, however many contacts PostgreSQL expects.
      matching: (match) => `
        select tagged.contact_id as id, seen_tags.search_text as words from seen_tags
        cross join lateral (select contact_id from contact_tags where tag_id = seen_tags.id offset 0) tagged
        where ${match('seen_tags.search_text')}`,
    },
  },
};
