import { contactChanged } from '@crm/events';
import {
  answerWith,
  type Context,
  demandSeen,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { Address } from '../contacts/address.entity.ts';
import { addressRows } from '../contacts/address.queries.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { demandRoom } from '../contacts/write-addresses.ts';
import { addressApi } from './address.api.ts';

export const addressHandlers = implement(addressApi, {
  find: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return findPage(ctx, addressRows, query, { contact_id });
  },

  get: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return getRecord(ctx, addressRows, query, { contact_id });
  },

  create: async (ctx, { contact_id, ...draft }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    await demandRoom(ctx, contact_id, 1);
    const address = ctx.em.create(Address, {
      ...draft,
      contact_id,
      created_at: ctx.now(),
      modified_at: ctx.now(),
    });
    await saveContact(ctx, contact);
    return answerWith(ctx, addressRows, address.id);
  },

  patch: async (ctx, { contact_id, id, $where, $select, ...changes }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    const address = await loadForChange(ctx, Address, addressRows, { id, $where }, { contact_id });
    ctx.em.assign(address, { ...changes, modified_at: ctx.now() });
    await saveContact(ctx, contact);
    return answerWith(ctx, addressRows, id);
  },

  remove: async (ctx, { contact_id, id, $where }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    const address = await loadForChange(ctx, Address, addressRows, { id, $where }, { contact_id });
    const removed = await answerWith(ctx, addressRows, id);
    ctx.em.remove(address);
    await saveContact(ctx, contact);
    return removed;
  },
});

/** An address is part of its contact, so a change of it is a new version of the contact. */
async function saveContact(ctx: Context, contact: Contact) {
  contact.change(ctx.now());
  await ctx.em.flush();
  publish(ctx, contactChanged, contact, eventData(contact, { fields: ['addresses'] }));
}
