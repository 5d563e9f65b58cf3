import { find, HistoryView, id, notFound, operation, pageOf } from '@crm/contract';

const lead_id = id;

export const leadHistoryApi = {
  find: operation({
    rest: 'GET /leads/:lead_id/history',
    summary: 'List what was done to a lead, and by whom; newest first by default',
    input: find(HistoryView, { own: { lead_id } }),
    output: pageOf(HistoryView),
    refuses: [notFound],
  }),
};
