import { insertRows, updateRow } from '@crm/data';
import { contactChanged, contactCreated, contactRemoved } from '@crm/events';
import {
  answerWith,
  demand,
  findOrSearch,
  getRecord,
  implement,
  loadForChange,
  lockForChange,
  publish,
  publishRemoval,
} from '@crm/service';
import { z } from 'zod';
import { delegationOf, demandOpenDelegation, noteAssignment } from '../delegations/delegation.queries.ts';
import { newTags } from '../tags/new-tags.ts';
import { textAroundTags } from '../tags/tags-text.ts';
import { changedReferences, checkReferences } from './check-references.ts';
import { contactApi } from './contact.api.ts';
import { Contact } from './contact.entity.ts';
import { mayAssign, mayCreateContact, mayRemoveContact } from './contact.policy.ts';
import { conditionsOf, contactRows } from './contact.queries.ts';
import { eventData } from './contact-event-data.ts';
import { comparablePhones } from './phone.ts';
import { searchedContacts } from './search.queries.ts';
import { writeParts } from './write-parts.ts';

export const contactHandlers = implement(contactApi, {
  find: (ctx, { has_email, has_phone, ...input }) =>
    findOrSearch(ctx, searchedContacts, {
      ...input,
      where: [...input.where, ...conditionsOf({ has_email, has_phone })],
    }),

  get: (ctx, input) => getRecord(ctx, contactRows, input),

  create: async (ctx, { addresses, custom_fields, tags, created_at, modified_at, ...draft }) => {
    demand(mayCreateContact(ctx.user));
    if (draft.assigned_user_id != null) await demandOpenDelegation(ctx);
    await checkReferences(ctx, draft);
    const row = {
      ...draft,
      ...comparablePhones(draft),
      ...textAroundTags({ tags }),
      created_at: dateOr(created_at, ctx.now()),
      modified_at: dateOr(modified_at, ctx.now()),
      owner_user_id: ctx.user.id,
      shared_user_ids: [],
      version: 1,
    };
    const [id = 0] = await insertRows(ctx.em, Contact, [row]);
    const contact = { ...row, id };
    if (contact.assigned_user_id != null)
      await noteAssignment(ctx.query, { contact_id: contact.id, previous_user_id: null }, delegationOf(ctx));
    await writeParts(ctx, contact, { addresses, custom_fields, tags });
    publish(ctx, contactCreated, contact, eventData(contact, {}));
    return answerWith(ctx, contactRows, contact.id);
  },

  patch: async (ctx, { id, $where, $select, addresses, custom_fields, tags: sentTags, ...sent }) => {
    const { created_at, modified_at, ...changes } = sent;
    if (changes.assigned_user_id !== undefined) await demandOpenDelegation(ctx);
    const contact = await lockForChange(ctx, contactRows, StoredContact, { id, $where });
    const references = changedReferences(contact, changes);
    if (references.assigned_user_id !== undefined) demand(mayAssign(ctx.user, contact));
    await checkReferences(ctx, references);
    if (references.assigned_user_id !== undefined)
      await noteAssignment(
        ctx.query,
        { contact_id: id, previous_user_id: contact.assigned_user_id ?? null },
        delegationOf(ctx),
      );
    const tags = await newTags(ctx, id, sentTags);
    const changed = {
      ...changes,
      ...comparablePhones(changes),
      ...textAroundTags({ tags }),
      ...(created_at !== undefined && { created_at: new Date(created_at) }),
      // A change of a part, such as an address, is a new version too. The row is locked, so that none is used twice.
      version: contact.version + 1,
      modified_at: dateOr(modified_at, ctx.now()),
    };
    await updateRow(ctx.em, Contact, id, changed);
    const parts = await writeParts(ctx, contact, { addresses, custom_fields, tags });
    const fields = [...Object.keys(changes), ...parts];
    const after = { ...contact, ...changed };
    publish(ctx, contactChanged, after, eventData(after, { fields }));
    return answerWith(ctx, contactRows, id);
  },

  remove: async (ctx, { id, $where }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id, $where });
    demand(mayRemoveContact(ctx.user, contact));
    const removed = await answerWith(ctx, contactRows, id);
    ctx.em.remove(contact);
    publishRemoval(ctx, contactRemoved, contact, eventData(contact, {}));
    return removed;
  },
});

/** What a change depends on. */
const StoredContact = z.object({
  id: z.int(),
  version: z.int(),
  owner_user_id: z.int(),
  assigned_user_id: z.int().nullable(),
  hotness_id: z.int().nullable(),
  source_id: z.int().nullable(),
});

const dateOr = (sent: string | undefined, now: Date) => (sent === undefined ? now : new Date(sent));
