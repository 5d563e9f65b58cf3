import { operation } from '@crm/contract';
import { LeadView, leadFields } from '../leads/lead.api.ts';

export const submissionApi = {
  create: operation({
    rest: 'POST /leads',
    summary: 'Add a lead, which is routed by the lead routes of its creator',
    example: {
      contact_id: 4201,
      source_id: 4202,
      type: 'Buyer',
      street_address: '12 St James Square',
      city: 'Portland',
      zipcode: '97201',
      text_body: 'I would like to see the house on Saturday.',
    },
    input: leadFields.partial().extend(leadFields.pick({ contact_id: true }).shape),
    output: LeadView,
  }),
};
