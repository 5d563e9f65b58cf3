import { implement, inSteps } from '@crm/service';
import type { Settings } from '../settings.ts';
import { storeTexts } from '../template-texts/template-text.queries.ts';
import { enrol } from './enrol.ts';
import { enrolmentApi } from './enrolment.api.ts';
import { preview } from './preview.ts';
import { removeAtOnce, stop } from './stop.ts';

export const enrolmentHandlers = ({ delivery }: Settings) =>
  implement(enrolmentApi, {
    enrol: (ctx, { campaign_contact_id, plan }) => enrol(ctx, campaign_contact_id, plan),
    storeTexts: async ({ query }, { texts }) => {
      await storeTexts(query, texts);
      return {};
    },
    preview: (ctx, plan) => preview(ctx, plan, delivery),
    stop: inSteps(enrolmentApi.stop, {
      act: async (ctx, scope) => {
        await stop(ctx, scope);
        return {};
      },
      finish: (ctx, _stopped: object, scope) => removeAtOnce(ctx, scope),
    }),
  });
