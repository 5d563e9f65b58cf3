import { demandSeen, findHistory, implement } from '@crm/service';
import { contactRows } from '../contacts/contact.queries.ts';
import { contactHistoryApi } from './contact-history.api.ts';

export const contactHistoryHandlers = implement(contactHistoryApi, {
  find: async (ctx, { contact_id, ...query }) => {
    await demandSeen(ctx, contactRows, contact_id);
    return findHistory(ctx, { type: 'contact', id: contact_id }, query);
  },
});
