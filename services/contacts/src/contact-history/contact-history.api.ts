import { find, HistoryView, id, notFound, operation, pageOf } from '@crm/contract';

const contact_id = id;

export const contactHistoryApi = {
  find: operation({
    rest: 'GET /contacts/:contact_id/history',
    summary: 'List what was done to a contact, and by whom; newest first by default',
    input: find(HistoryView, { own: { contact_id } }),
    output: pageOf(HistoryView),
    refuses: [notFound],
  }),
};
