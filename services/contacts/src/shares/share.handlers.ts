import { wrong } from '@crm/contract';
import {
  answerWith,
  demand,
  demandOwnPerson,
  demandSeen,
  findPage,
  getRecord,
  implement,
  loadForChange,
} from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { delegationOf, demandOpenDelegation } from '../delegations/delegation.queries.ts';
import { giveContact } from './give-contact.ts';
import { shareApi } from './share.api.ts';
import { Share } from './share.entity.ts';
import { mayShare, mayShareWith, mayUnshare } from './share.policy.ts';
import { shareRows, sharesOf } from './share.queries.ts';
import { saveSharedUsers, shareWith } from './share-with.ts';

export const shareHandlers = implement(shareApi, {
  find: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return findPage(ctx, shareRows, query, { contact_id });
  },

  get: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return getRecord(ctx, shareRows, query, { contact_id });
  },

  create: async (ctx, { contact_id, user_id }) => {
    await demandOpenDelegation(ctx);
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    demand(mayShare(ctx.user, contact));
    demandOwnPerson(ctx.user, user_id);
    if (!mayShareWith(ctx.user, contact, user_id))
      throw wrong('user_id', `'${user_id}' is not a user of your teams`);
    const existing = await ctx.em.findOne(Share, { contact_id, user_id });
    if (existing) return answerWith(ctx, shareRows, existing.id);
    const share = await shareWith(ctx, contact, user_id, ctx.user.id, delegationOf(ctx));
    return answerWith(ctx, shareRows, share.id);
  },

  remove: async (ctx, { contact_id, id, $where }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    const share = await loadForChange(ctx, Share, shareRows, { id, $where }, { contact_id });
    demand(mayUnshare(ctx.user, contact, share));
    const removed = await answerWith(ctx, shareRows, id);
    ctx.em.remove(share);
    const others = contact.shared_user_ids.filter((user_id) => user_id !== share.user_id);
    await saveSharedUsers(ctx, contact, others);
    return removed;
  },

  ofContacts: ({ query, user }, { contact_ids }) => sharesOf(query, user, contact_ids),

  give: async (ctx, { contact_id, user_id, delegation_id = null }) => {
    await giveContact(ctx, contact_id, user_id, delegation_id);
    return {};
  },
});
