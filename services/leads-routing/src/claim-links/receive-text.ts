import type { Inbound } from '@crm/delivery';
import type { Context } from '@crm/service';
import type { Outcome } from '../claims/claim-lead.ts';
import { giveContactAtOnce } from '../claims/give-contact.ts';
import { outcomeWords } from './callback-words.ts';
import { type Choice, chooseOffer } from './choose-offer.ts';
import { activeAmong, claimAs } from './claim-as.ts';
import { forwardText } from './forward-texts.ts';
import { type StoredText, storeText, textedOffers, wasAlerted } from './inbound-text.queries.ts';
import { type Reply, readReply } from './read-reply.ts';

type Text = Extract<Inbound, { kind: 'text' }>;

interface ReceivedText {
  readonly text: StoredText;
  readonly choice: Choice | null;
  readonly outcome: Outcome | null;
}

/** What fits into a text column: no null characters, no half surrogate pairs, up to the limit. */
const storable = (text: string) => [...text.replaceAll('\u0000', '').toWellFormed()].slice(0, 1600).join('');

/** The members who were texted at a number and whose accounts are active. */
export async function activeMembersAt(ctx: Context, number: string): Promise<readonly number[]> {
  const offers = await textedOffers(ctx.query, number);
  return activeAmong(
    ctx,
    offers.map(({ user_id }) => user_id),
  );
}

/**
 * Stores an incoming text and claims the lead it asks for. A repeated text keeps its first meaning, whatever has been
 * offered since.
 */
export async function receiveText(
  ctx: Context,
  { id, from, text }: Text,
  active: readonly number[],
): Promise<ReceivedText> {
  const reply = await replyOf(ctx, from, text);
  const choice = reply.meaning === 'claim' ? await choiceOf(ctx, from, reply.lead_id, active) : null;
  const { lead_id = null, user_id = null } = choice?.is === 'one' ? choice.offer : {};
  const inbound = {
    id,
    from_number: from,
    body: storable(text),
    meaning: reply.meaning,
    lead_id,
    user_id,
  };
  const { stored, isNew } = await storeText(ctx.query, inbound, ctx.now());
  if (stored.lead_id === null || stored.user_id === null) {
    return { text: stored, choice: isNew ? choice : null, outcome: null };
  }
  const grant = { lead_id: stored.lead_id, user_id: stored.user_id, via: 'Text' } as const;
  return { text: stored, choice, outcome: await claimAs(ctx, grant) };
}

/** What a text asks for. A number that was never texted about a lead cannot claim one: its texts are a contact's replies. */
async function replyOf(ctx: Context, from: string, text: string): Promise<Reply> {
  const reply = readReply(text);
  return reply.meaning === 'claim' && !(await wasAlerted(ctx.query, from)) ? { meaning: 'other' } : reply;
}

async function choiceOf(ctx: Context, from: string, named: number | undefined, active: readonly number[]) {
  const offers = await textedOffers(ctx.query, from);
  return chooseOffer(
    offers.filter(({ user_id }) => active.includes(user_id)),
    named,
  );
}

/** The text to reply with, if any. Forwards a text that is not a claim. */
export async function replyTo(
  ctx: Context,
  { text, choice, outcome }: ReceivedText,
): Promise<string | undefined> {
  if (outcome && text.lead_id !== null && text.user_id !== null) {
    if (outcome.is === 'claimed') await giveContactAtOnce(ctx, text.lead_id);
    return outcomeWords(ctx, { lead_id: text.lead_id, user_id: text.user_id }, outcome);
  }
  if (text.meaning !== 'claim') {
    // A worker tries again, so the provider does not have to.
    await forwardText(ctx, ctx.query, text).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a text could not be forwarded and will be retried'),
    );
    return text.meaning === 'start' ? 'You will receive texts again. Reply STOP to opt out.' : undefined;
  }
  if (choice?.is === 'several') {
    const [first] = choice.lead_ids;
    return `You have been offered several leads: ${choice.lead_ids.join(', ')}. Reply with the number of one, such as CLAIM ${first}.`;
  }
  return choice?.is === 'none' ? 'There is no lead to claim from this phone number.' : undefined;
}
