import { operation } from '@crm/contract';
import { LeadView, leadFields } from '../leads/lead.api.ts';

export const submissionApi = {
  create: operation({
    rest: 'POST /leads',
    summary: 'Add a lead, which is routed by the lead routes of its creator',
    input: leadFields.partial().extend(leadFields.pick({ contact_id: true }).shape),
    output: LeadView,
  }),
};
