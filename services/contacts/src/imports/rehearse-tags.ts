import { type ImportRun, isRehearsedId } from '@crm/contacts-csv';
import type { Query } from '@crm/data';
import { newTags } from '../tags/new-tags.ts';
import { tagsTextOf } from '../tags/tag.queries.ts';
import { withTags } from '../tags/tags-text.ts';
import { isRehearsedTagged } from './rehearsal.queries.ts';

type Writer = ImportRun['writer'];

interface Rehearsal {
  readonly importId: number;
  /** The tags that the import gives to all contacts. */
  readonly tags: string;
  /** The contacts that would have these tags by now. */
  readonly tagged: Set<number>;
}

/**
 * The writer of a dry run that refuses a row whose contact has no room for the tags of the import. A row with tags of its own
 * replaces those of the contact, and was checked when it was read, as was a contact that the dry run would have added.
 */
export function rehearsingTags(query: Query, { importId, tags, tagged }: Rehearsal, writer: Writer): Writer {
  const hasTags = async (id: number) =>
    isRehearsedId(id) || tagged.has(id) || (await isRehearsedTagged(query, importId, id));
  return {
    ...writer,
    async change(contact, row) {
      const { id } = contact;
      if (row.changes.tags === undefined && !(await hasTags(id)))
        await newTags({ query }, id, withTags((await tagsTextOf(query, id)) ?? '', tags));
      await writer.change(contact, row);
      tagged.add(id);
    },
  };
}
