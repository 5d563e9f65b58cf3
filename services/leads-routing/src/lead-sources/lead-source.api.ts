import { find, id, notFound, operation, pageOf, record, text } from '@crm/contract';
import { z } from 'zod';

export const LeadSourceView = z.object({ id, name: text(200).meta({ examples: ['Zillow'] }) });

export const leadSourceApi = {
  find: operation({
    rest: 'GET /lead-sources',
    summary:
      "List lead sources: the caller's own, and the broker's if the broker shares them; one of each name",
    input: find(LeadSourceView),
    output: pageOf(LeadSourceView),
  }),
  get: operation({
    rest: 'GET /lead-sources/:id',
    summary: 'Read a lead source',
    input: record(LeadSourceView, { id }),
    output: LeadSourceView,
    refuses: [notFound],
  }),
};
