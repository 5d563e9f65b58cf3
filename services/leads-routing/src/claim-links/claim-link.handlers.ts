import { privateHeaders } from '@crm/html';
import { type Context, implement, inSteps } from '@crm/service';
import { findOffer } from '../claims/claim.queries.ts';
import type { Outcome } from '../claims/claim-lead.ts';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import { nameOf } from '../leads/lead-words.ts';
import { contactsById, usersById } from '../names.ts';
import { contacts } from '../peers.ts';
import type { Settings } from '../settings.ts';
import { activeAmong, claimAs, declineAs } from './claim-as.ts';
import { claimLinkApi } from './claim-link.api.ts';
import { findShownLead } from './claim-link.queries.ts';
import * as pages from './claim-page.ts';
import { type ClaimGrant, readClaimToken } from './claim-token.ts';
import { type Card, vcard } from './vcard.ts';

type State = Outcome | { readonly is: 'offered' };

export const claimLinkHandlers = ({ claimKey }: Settings) => {
  /** Nothing if the link is not ours, has expired, or its member's account is not active. */
  const grantOf = async (ctx: Context, token: string): Promise<ClaimGrant | undefined> => {
    const grant = readClaimToken(claimKey, token, ctx.now());
    if (!grant) return undefined;
    const [isActive] = await activeAmong(ctx, [grant.user_id]);
    return isActive === undefined ? undefined : grant;
  };
  return implement(claimLinkApi, {
    show: async (ctx, { params }) => {
      const grant = await grantOf(ctx, params.token ?? '');
      if (!grant) return pages.unknownPage();
      return pageFor(ctx, { grant, token: params.token ?? '' }, await stateOf(ctx, grant), 'shown');
    },

    claim: inSteps(claimLinkApi.claim, {
      ask: (ctx, { params }) => grantOf(ctx, params.token ?? ''),
      act: async (ctx, _request, grant) => (grant ? { grant, outcome: await claimAs(ctx, grant) } : null),
      finish: async (ctx, done, { params }) => {
        if (!done) return pages.unknownPage();
        if (done.outcome.is === 'claimed') await giveContactAtOnce(ctx, done.grant.lead_id);
        return pageFor(ctx, { ...done, token: params.token ?? '' }, done.outcome, 'claimed');
      },
    }),

    decline: inSteps(claimLinkApi.decline, {
      ask: (ctx, { params }) => grantOf(ctx, params.token ?? ''),
      act: async (ctx, _request, grant) => (grant ? { grant, outcome: await declineAs(ctx, grant) } : null),
      finish: async (ctx, done, { params }) => {
        if (!done) return pages.unknownPage();
        if (done.outcome.is === 'declined') return pages.declinedPage();
        return pageFor(ctx, { ...done, token: params.token ?? '' }, done.outcome, 'claimed');
      },
    }),

    contactCard: async (ctx, { params }) => {
      const grant = await grantOf(ctx, params.token ?? '');
      const state = grant && (await stateOf(ctx, grant));
      if (state?.is !== 'claimed' || state.claimed_by_user_id !== grant?.user_id) return pages.unknownPage();
      const card = await cardOf(ctx, (await findShownLead(ctx.query, grant.lead_id))?.contact_id);
      if (!card) return pages.unknownPage();
      const headers = {
        ...privateHeaders,
        'content-type': 'text/vcard; charset=utf-8',
        'content-disposition': `attachment; filename="lead-${grant.lead_id}.vcf"`,
      };
      return { status: 200, headers, body: vcard(card) };
    },
  });
};

async function stateOf({ query }: Context, { lead_id, user_id }: ClaimGrant): Promise<State> {
  const offer = await findOffer(query, lead_id, user_id);
  if (!offer) return { is: 'not offered' };
  if (!offer.isDue) return { is: 'not due' };
  if (offer.claimed_by_user_id !== null) {
    return { is: 'claimed', claimed_by_user_id: offer.claimed_by_user_id };
  }
  return { is: offer.isVoid ? 'void' : 'offered' };
}

interface Visit {
  readonly grant: ClaimGrant;
  readonly token: string;
}

/** Opening a link is never an error, so a lead that can no longer be claimed is shown with 200. */
async function pageFor(ctx: Context, { grant, token }: Visit, state: State, how: 'shown' | 'claimed') {
  const isShown = how === 'shown';
  if (state.is === 'not due') return pages.notDuePage(isShown ? 200 : 403);
  if (state.is === 'void') return pages.withdrawnPage(isShown ? 200 : 409);
  if (state.is === 'claimed' && state.claimed_by_user_id !== grant.user_id) {
    const winner = (await usersById(ctx, [state.claimed_by_user_id])).get(state.claimed_by_user_id);
    return pages.lostPage(isShown ? 200 : 409, nameOf(winner, 'someone else'));
  }
  const lead = state.is === 'not offered' ? undefined : await findShownLead(ctx.query, grant.lead_id);
  if (!lead) return pages.withdrawnPage(isShown ? 200 : 409);
  const { contact_id } = lead;
  const contact = nameOf((await contactsById(ctx, [contact_id])).get(contact_id ?? 0), 'New lead');
  if (state.is === 'offered') return pages.offeredPage({ lead, contact }, token);
  return pages.yoursPage({ lead, contact, card: await cardOf(ctx, contact_id) }, token);
}

/** How to reach a contact; only for the user who has claimed its lead. */
async function cardOf(ctx: Context, contact_id: number | null | undefined): Promise<Card | undefined> {
  if (contact_id == null) return undefined;
  const [card] = await contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [contact_id] });
  return card;
}
