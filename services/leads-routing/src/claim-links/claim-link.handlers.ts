import type { User } from '@crm/auth';
import { nameOf } from '@crm/delivery';
import { privateHeaders } from '@crm/html';
import { type Context, implement, inSteps } from '@crm/service';
import { givenAfterCommit } from '../after-commit.ts';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import { type OfferState, offerState } from '../claims/offer-state.ts';
import { actorsById, contactsSeen, namesOfLeadContacts, winnerName } from '../names.ts';
import { contacts } from '../peers.ts';
import type { Settings } from '../settings.ts';
import { claimAs, declineAs } from './claim-as.ts';
import { claimLinkApi } from './claim-link.api.ts';
import { findShownLead } from './claim-link.queries.ts';
import * as pages from './claim-page.ts';
import { type ClaimGrant, readClaimToken } from './claim-token.ts';
import { type Card, vcard } from './vcard.ts';

export const claimLinkHandlers = ({ claimKey }: Settings) => {
  /** Undefined if the link is forged or has expired, or the account of its member is disabled. */
  const visitOf = async (ctx: Context, token = ''): Promise<Visit | undefined> => {
    const grant = readClaimToken(claimKey, token, ctx.now());
    const user = grant && (await actorsById(ctx, [grant.user_id])).get(grant.user_id);
    return user && { grant, user, token };
  };
  return implement(claimLinkApi, {
    show: async (ctx, { params }) => {
      const visit = await visitOf(ctx, params.token);
      return visit ? pageFor(ctx, visit, await stateOf(ctx, visit), 'shown') : pages.unknownPage();
    },

    claim: inSteps(claimLinkApi.claim, {
      ask: (ctx, { params }) => visitOf(ctx, params.token),
      act: async (ctx, _request, visit) =>
        visit ? { visit, outcome: await claimAs(ctx, visit.grant, visit.user) } : null,
      finish: async (ctx, done) => {
        if (!done) return pages.unknownPage();
        if (done.outcome.is === 'claimed') await giveContactAtOnce(ctx, done.visit.grant.lead_id);
        return pageFor(ctx, done.visit, done.outcome, 'claimed');
      },
    }),

    decline: inSteps(claimLinkApi.decline, {
      ask: (ctx, { params }) => visitOf(ctx, params.token),
      act: async (ctx, _request, visit) =>
        visit ? { visit, outcome: await declineAs(ctx, visit.grant, visit.user) } : null,
      finish: async (ctx, done) => {
        if (!done) return pages.unknownPage();
        if (done.outcome.is === 'declined') return pages.declinedPage();
        return pageFor(ctx, done.visit, done.outcome, 'claimed');
      },
    }),

    contactCard: async (ctx, { params }) => {
      const visit = await visitOf(ctx, params.token);
      const state = visit && (await stateOf(ctx, visit));
      if (state?.is !== 'claimed' || state.claimed_by_user_id !== visit?.user.id) return pages.unknownPage();
      const { lead_id } = visit.grant;
      const card = await cardOf(ctx, visit, (await findShownLead(ctx.query, lead_id))?.contact_id);
      if (!card) return pages.unknownPage();
      const headers = {
        ...privateHeaders,
        'content-type': 'text/vcard; charset=utf-8',
        'content-disposition': `attachment; filename="lead-${lead_id}.vcf"`,
      };
      return { status: 200, headers, body: vcard(card) };
    },
  });
};

const stateOf = ({ query }: Context, { grant, user }: Visit) => offerState(query, grant.lead_id, user);

interface Visit {
  readonly grant: ClaimGrant;
  readonly user: User;
  readonly token: string;
}

/** Opening a link is never an error, so the page about a lead that can no longer be claimed has the status 200. */
async function pageFor(ctx: Context, visit: Visit, state: OfferState, how: 'shown' | 'claimed') {
  const { grant, token } = visit;
  const isShown = how === 'shown';
  if (state.is === 'not due') return pages.notDuePage(isShown ? 200 : 403);
  if (state.is === 'void') return pages.withdrawnPage(isShown ? 200 : 409);
  if (state.is === 'claimed' && state.claimed_by_user_id !== grant.user_id) {
    return pages.lostPage(isShown ? 200 : 409, await winnerName(ctx, state.claimed_by_user_id));
  }
  const lead = state.is === 'not offered' ? undefined : await findShownLead(ctx.query, grant.lead_id);
  if (!lead) return pages.withdrawnPage(isShown ? 200 : 409);
  const { contact_id } = lead;
  if (state.is === 'offered') {
    const ofLead = contact_id === null ? [] : [{ id: contact_id, creator: lead.creator_user_id }];
    const named = (await namesOfLeadContacts(ctx, ofLead)).get(contact_id ?? 0);
    return pages.offeredPage({ lead, contact: nameOf(named, 'New lead') }, token);
  }
  const reading = cardOf(ctx, visit, contact_id);
  const card = await (isShown ? reading : givenAfterCommit(ctx, reading));
  return pages.yoursPage({ lead, contact: nameOf(card, 'New lead'), card }, token);
}

/** The card of a contact, only for the user who claimed its lead and still sees the contact. */
async function cardOf(
  ctx: Context,
  { user }: Visit,
  contact_id: number | null | undefined,
): Promise<Card | undefined> {
  if (contact_id == null) return undefined;
  const seen = await contactsSeen(ctx, new Map([[user.id, user]]), [{ id: contact_id, creator: user.id }]);
  if (!seen.get(user.id)?.has(contact_id)) return undefined;
  const [card] = await contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [contact_id] });
  return card;
}
