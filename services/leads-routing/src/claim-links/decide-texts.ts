import { randomUUID } from 'node:crypto';
import { system, type User } from '@crm/auth';
import { emFor } from '@crm/data';
import type { schedulingApi } from '@crm/scheduling/api';
import {
  type PeerContext,
  refusalIn,
  repeatAfterCommits,
  resume,
  systemContext,
  type TransactionContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import type { z } from 'zod';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import type { Outcome } from '../claims/offer-state.ts';
import { actorsById } from '../names.ts';
import { scheduling } from '../peers.ts';
import { outcomeWords } from './callback-words.ts';
import { type Choice, chooseOffer } from './choose-offer.ts';
import { claimAs } from './claim-as.ts';
import { type StoredText, storeClaim, textedOffers, wasAlerted } from './inbound-text.queries.ts';
import { readReply } from './read-reply.ts';

type Work = Pick<WorkerContext, 'database' | 'peers' | 'clock' | 'log'>;

type Text = z.output<typeof schedulingApi.inboundTexts.undecided.output.element>;

interface Claim {
  readonly text: StoredText;
  readonly choice: Choice | null;
  readonly outcome: Outcome | null;
}

/**
 * Decides which incoming texts claim a lead, in the order in which they came in, and claims the leads. A text that
 * fails does not delay the others. Returns true if there were any texts, because some may be left.
 */
export async function decideTexts(work: Work): Promise<boolean> {
  const { inboundTexts } = scheduling.asSystem({ peers: work.peers, requestId: randomUUID() });
  const tried = new Set<string>();
  let skip = 0;
  for (;;) {
    // The previous release of scheduling ignores `skip`.
    const texts = (await inboundTexts.undecided({ skip })).filter(({ id }) => !tried.has(id));
    if (texts.length === 0) return tried.size > 0;
    for (const text of texts) {
      tried.add(text.id);
      const decide = (requestId: string) => decideText(work, { peers: work.peers, requestId }, text);
      await resume('decide text', text, decide).catch((error: unknown) => {
        skip++;
        work.log.warn(
          { err: error, text: text.id },
          'a text could not be checked for a claim and will be retried',
        );
      });
    }
  }
}

/** Repeating it claims the same lead, so nothing is lost if scheduling does not receive the decision. */
async function decideText(work: Work, asking: PeerContext, text: Text): Promise<void> {
  const { inboundTexts } = scheduling.asSystem(asking);
  const claim = await claimBy(work, asking, text);
  const reply = claim ? ((await replyTo(work, asking, claim)) ?? null) : null;
  await inboundTexts.decide({ id: text.id, is_claim: claim !== null, reply });
}

/** A number that was never texted about a lead cannot claim one: its texts are those of a contact. */
async function claimBy(
  { database: { orm, query }, clock }: Work,
  asking: PeerContext,
  text: Text,
): Promise<Claim | null> {
  const reply = readReply(text.body);
  if (!reply.isClaim || !(await wasAlerted(query, text))) return null;
  const offers = await textedOffers(query, text);
  const users = await actorsById(
    asking,
    offers.map(({ user_id }) => user_id),
  );
  const now = clock();
  return emFor(orm, system).transactional(async (em) => {
    const ctx = systemContext(em, asking.requestId, now);
    const standing = await textedOffers(ctx.query, text);
    const choice = chooseOffer(
      standing.filter(({ user_id }) => users.has(user_id)),
      reply.lead_id,
    );
    return claimChosen(ctx, text, choice, users);
  });
}

/** A text that was already decided keeps its first meaning, whatever has been offered since. */
async function claimChosen(
  ctx: TransactionContext,
  text: Text,
  choice: Choice,
  users: ReadonlyMap<number, User>,
): Promise<Claim> {
  const { lead_id = null, user_id = null } = choice.is === 'one' ? choice.offer : {};
  const stored = await storeClaim(ctx.query, { ...text, lead_id, user_id });
  const user = users.get(stored.user_id ?? 0);
  if (stored.lead_id === null || !user) return { text: stored, choice, outcome: null };
  const grant = { lead_id: stored.lead_id, user_id: user.id, via: 'Text' } as const;
  return { text: stored, choice, outcome: await claimAs(ctx, grant, user) };
}

/** The text to reply with. */
async function replyTo({ database, log }: Work, asking: PeerContext, { text, choice, outcome }: Claim) {
  if (outcome && text.lead_id !== null && text.user_id !== null) {
    if (outcome.is === 'claimed') {
      const { peers, requestId } = asking;
      await giveContactAtOnce({ peers, requestId, query: database.query, log }, text.lead_id);
    }
    return outcomeWords(asking, { lead_id: text.lead_id, user_id: text.user_id }, outcome);
  }
  if (choice?.is === 'several') {
    const [first] = choice.lead_ids;
    return `You have been offered several leads: ${choice.lead_ids.join(', ')}. Reply with the number of one, such as CLAIM ${first}.`;
  }
  // The text was first decided while several leads were open.
  return choice?.is === 'one' ? undefined : 'There is no lead to claim from this phone number.';
}

const everyMs = 1_000;
/** Looks without an event too, because there are none while NATS is unavailable. */
const unaskedMs = 10_000;

/** Decides about texts after the event that one came in. Any number of instances may run. */
export const textDecider: Worker = async (context) =>
  repeatAfterCommits('decide which texts claim leads', everyMs, () => decidedUntil(context), context);

/** While scheduling is unavailable, the texts wait there. */
async function decidedUntil(work: Work): Promise<number> {
  try {
    return (await decideTexts(work)) ? everyMs : unaskedMs;
  } catch (error) {
    if (refusalIn(error)?.name !== 'Unavailable') throw error;
    return everyMs;
  }
}
