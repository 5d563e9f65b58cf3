import { JsonText } from '@crm/data';
import {
  type Context,
  completePage,
  completeText,
  demandSeen,
  findPage,
  getRecord,
  implement,
  inSteps,
} from '@crm/service';
import { afterCommit } from '../after-commit.ts';
import { ownTeams } from '../distribution-options/team-of-option.ts';
import { leadRows } from '../leads/lead.queries.ts';
import { completeOffers } from './complete-offers.ts';
import { offerApi } from './offer.api.ts';
import { offerRows, seesOfferOf } from './offer.queries.ts';
import { sendOffers } from './send-offers.ts';

export const offerHandlers = implement(offerApi, {
  find: async (ctx, { lead_id, ...query }) => {
    await demandLead(ctx, lead_id);
    return completePage(findPage(ctx, offerRows, query, { lead_id }), completeOffers(ctx));
  },

  get: (ctx, { lead_id, ...query }) =>
    completeText(getRecord(ctx, offerRows, query, { lead_id }), completeOffers(ctx)),

  send: inSteps(offerApi.send, {
    ask: ownTeams,
    act: (ctx, { lead_id }, teams) => sendOffers(ctx, lead_id, teams),
    complete: async (ctx, offers) =>
      new JsonText(JSON.stringify(await completeOffers(ctx, afterCommit(ctx))(offers))),
  }),
});

/** Throws NotFound unless the caller sees the lead or an offer of it: a member whose offer is not due yet sees only the offer. */
async function demandLead(ctx: Context, id: number) {
  if (await seesOfferOf(ctx.query, ctx.user, id)) return;
  await demandSeen(ctx, leadRows, id);
}
