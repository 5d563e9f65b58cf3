import { insertRows, reserveIds } from '@crm/data';
import { contactCreated } from '@crm/events';
import { demand, getRecord, implement, publish } from '@crm/service';
import { withCustomFields } from '../custom-fields/custom-field-conditions.ts';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import { delegationOf, demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { knownId } from '../known-id.ts';
import { textAroundTags } from '../tags/tags-text.ts';
import { addFirstTags, tagsToWrite } from '../tags/write-tags.ts';
import { searchedTextOf } from './address-text.ts';
import { checkReferences } from './check-references.ts';
import { contactApi } from './contact.api.ts';
import { Contact } from './contact.entity.ts';
import { brokerForbidsContacts, mayCreateContact } from './contact.policy.ts';
import { contactRows } from './contact.queries.ts';
import { eventData } from './contact-event-data.ts';
import { findContacts } from './find-contacts.ts';
import { patchContact } from './patch-contact.ts';
import { comparablePhones } from './phone.ts';
import { removeContact } from './remove-contact.ts';
import { addFirstAddresses, demandNewAddresses } from './write-addresses.ts';
import { answerAfter } from './write-parts.ts';

export const contactHandlers = implement(contactApi, {
  find: findContacts,

  get: async (ctx, { $where = [], ...input }) => {
    const { model, where } = await withCustomFields(ctx, { model: contactRows, where: $where });
    return getRecord(ctx, model, { ...input, $where: where });
  },

  create: async (ctx, { addresses, custom_fields, tags, created_at, modified_at, ...draft }) => {
    demand(mayCreateContact(ctx.user), brokerForbidsContacts);
    demandNewAddresses(addresses);
    if (draft.assigned_user_id != null) await demandOpenDelegation(ctx);
    const [written, , [reserved]] = await Promise.all([
      tagsToWrite(ctx, ctx.user.id, tags),
      checkReferences(ctx, draft),
      reserveIds(ctx.em, Contact, 1),
    ]);
    const id = knownId(reserved);
    const contact = {
      id,
      ...draft,
      ...comparablePhones(draft),
      ...textAroundTags({ tags }),
      address_text: searchedTextOf(addresses),
      created_at: dateOr(created_at, ctx.now()),
      modified_at: dateOr(modified_at, ctx.now()),
      owner_user_id: ctx.user.id,
      shared_user_ids: [],
      version: 1,
    };
    publish(ctx, contactCreated, contact, eventData(contact, {}));
    const writing = [
      insertRows(ctx.em, Contact, [contact]),
      contact.assigned_user_id != null &&
        noteAssignment(ctx.query, { contact_id: id, previous_user_id: null }, delegationOf(ctx)),
      addFirstAddresses(ctx, [{ id, addresses }]),
      addFirstTags(ctx, id, written),
    ];
    return answerAfter(ctx, contact.id, writing, { custom_fields });
  },

  patch: patchContact,

  remove: removeContact,
});

const dateOr = (sent: string | undefined, now: Date) => (sent === undefined ? now : new Date(sent));
