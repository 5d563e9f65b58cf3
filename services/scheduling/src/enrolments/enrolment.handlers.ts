import { implement } from '@crm/service';
import { enrol } from './enrol.ts';
import { enrolmentApi } from './enrolment.api.ts';
import { preview } from './preview.ts';
import { stop } from './stop.ts';

export const enrolmentHandlers = implement(enrolmentApi, {
  enrol: (ctx, { campaign_contact_id, plan }) => enrol(ctx, campaign_contact_id, plan),
  preview,
  stop,
});
