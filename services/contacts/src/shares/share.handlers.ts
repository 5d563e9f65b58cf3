import { answerWith, demand, demandSeen, findPage, getRecord, implement, loadForChange } from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { giveContact } from './give-contact.ts';
import { shareApi } from './share.api.ts';
import { Share } from './share.entity.ts';
import { mayUnshare, onlySharerUnshares } from './share.policy.ts';
import { shareRows, sharesOf } from './share.queries.ts';
import { shareContact } from './share-contact.ts';
import { saveSharedUsers } from './share-with.ts';

export const shareHandlers = implement(shareApi, {
  find: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return findPage(ctx, shareRows, query, { contact_id });
  },

  get: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return getRecord(ctx, shareRows, query, { contact_id });
  },

  create: shareContact,

  remove: async (ctx, { contact_id, id, $where }) => {
    const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
    const share = await loadForChange(ctx, Share, shareRows, { id, $where }, { contact_id });
    demand(mayUnshare(ctx.user, contact, share), onlySharerUnshares);
    const removed = await answerWith(ctx, shareRows, id);
    ctx.em.remove(share);
    const others = contact.shared_user_ids.filter((user_id) => user_id !== share.user_id);
    await saveSharedUsers(ctx, contact, others);
    return removed;
  },

  ofContacts: ({ query, user }, { contact_ids }) => sharesOf(query, user, contact_ids),

  give: async (ctx, input) => {
    await giveContact(ctx, input);
    return {};
  },
});
