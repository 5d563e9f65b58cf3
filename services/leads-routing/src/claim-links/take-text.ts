import type { Inbound } from '@crm/delivery';
import type { Context } from '@crm/service';
import type { Outcome } from '../claims/claim-lead.ts';
import { outcomeWords } from './callback-words.ts';
import { type Choice, chooseOffer } from './choose-offer.ts';
import { activeAmong, claimAs } from './claim-as.ts';
import { type NotedText, noteText, textedOffers, wasAlerted } from './inbound-text.queries.ts';
import { passOn } from './pass-on.ts';
import { type Reply, readReply } from './read-reply.ts';

type Text = Extract<Inbound, { kind: 'text' }>;

interface Taken {
  readonly text: NotedText;
  readonly choice: Choice | null;
  readonly outcome: Outcome | null;
}

/** As much as a column holds, without what it cannot hold. */
const bodyOf = (text: string) => [...text.replaceAll('\u0000', '').toWellFormed()].slice(0, 1600).join('');

/** Whoever was texted at a number and may still act. */
export async function activeMembersAt(ctx: Context, number: string): Promise<readonly number[]> {
  const offers = await textedOffers(ctx.query, number);
  return activeAmong(
    ctx,
    offers.map(({ user_id }) => user_id),
  );
}

/**
 * Takes a text that came in. One that comes again means what it meant the first time, whatever has been offered since.
 */
export async function takeText(
  ctx: Context,
  { id, from, text }: Text,
  active: readonly number[],
): Promise<Taken> {
  const reply = await replyOf(ctx, from, text);
  const choice = reply.meaning === 'claim' ? await choiceOf(ctx, from, reply.lead_id, active) : null;
  const { lead_id = null, user_id = null } = choice?.is === 'one' ? choice.offer : {};
  const body = bodyOf(text);
  const inbound = { id, from_number: from, body, meaning: reply.meaning, lead_id, user_id };
  const { noted, isNew } = await noteText(ctx.query, inbound, ctx.now());
  if (noted.lead_id === null || noted.user_id === null) {
    return { text: noted, choice: isNew ? choice : null, outcome: null };
  }
  const grant = { lead_id: noted.lead_id, user_id: noted.user_id, via: 'Text' } as const;
  return { text: noted, choice, outcome: await claimAs(ctx, grant) };
}

/** What a text asks for. Nobody can claim who was never texted of a lead: what they say is a contact’s reply. */
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

/** What is texted back, if anything; and what others are to know of the text is passed on. */
export async function answerText(
  ctx: Context,
  { text, choice, outcome }: Taken,
): Promise<string | undefined> {
  if (outcome && text.lead_id !== null && text.user_id !== null) {
    return outcomeWords(ctx, { lead_id: text.lead_id, user_id: text.user_id }, outcome);
  }
  if (text.meaning !== 'claim') {
    // A worker tries again, so the provider need not.
    await passOn(ctx, ctx.query, text).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a text waits to be passed on'),
    );
    return text.meaning === 'start' ? 'You get texts again. Reply STOP to end them.' : undefined;
  }
  if (choice?.is === 'several') {
    const [first] = choice.lead_ids;
    return `Several leads are offered to you: ${choice.lead_ids.join(', ')}. Reply with the number, such as CLAIM ${first}.`;
  }
  return choice?.is === 'none' ? 'There is no lead to claim for this number.' : undefined;
}
