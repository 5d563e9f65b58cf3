import { system } from '@crm/auth';
import { emFor, type Query } from '@crm/data';
import { type PeerContext, resume, systemContext, type WorkerContext } from '@crm/service';
import { noteOptOutChange } from '../opt-outs/opt-out-change.queries.ts';
import { contacts } from '../peers.ts';
import { lastTexted } from '../replies/reply.queries.ts';
import { stopByReply } from '../replies/stop-by-reply.ts';
import { addAlerts, addReply } from '../text-notices/text-notice.queries.ts';
import { endPause, pauseTexts } from '../text-pauses/text-pause.queries.ts';
import { type LeasedText, markSettled } from './inbound-text.queries.ts';

export type Work = Pick<WorkerContext, 'database' | 'peers' | 'clock' | 'log'>;

/**
 * Processes a text: opts its number out or in, and unless it is a claim, records it as an event of its contact, stops what a
 * reply stops, and alerts the agents. Repeating it changes nothing.
 */
export const settleText = (work: Work, text: LeasedText): Promise<void> =>
  resume('settle text', text, (requestId) => settle(work, requestId, text));

async function settle({ database: { orm, query }, peers, clock }: Work, requestId: string, text: LeasedText) {
  const asking = { peers, requestId };
  await noteRequest(asking, text);
  const matching = await contacts.asSystem(asking).contacts.withMobilePhone({ number: text.from_number });
  const last = await lastTexted(query, replyOf(text));
  const recorded = text.is_claim ? [] : await record(asking, text, last?.contact_id, matching);
  const now = clock();
  await emFor(orm, system).transactional(async (em) => {
    const ctx = systemContext(em, requestId, now);
    const [first] = recorded;
    if (!(await markSettled(ctx.query, text, first?.contact_id ?? null))) return;
    // Facts that were loaded before the opt-out must not let messages through once the text is settled.
    if (text.meaning === 'stop') await noteOptOutChange(ctx.query, matching);
    if (text.meaning !== 'start') await stopByReply(ctx, replyOf(text), matching);
    await changePause(ctx.query, text);
    for (const contact of recorded) await addAlerts(ctx, text.id, contact);
    if (text.meaning === 'help' && !text.is_answered) {
      const user_id = last?.send_from_user_id ?? first?.owner_user_id ?? null;
      await addReply(ctx, { text_id: text.id, user_id, words: null });
    }
  });
}

async function noteRequest(
  asking: PeerContext,
  { meaning, from_number: number, received_at: at }: LeasedText,
) {
  const { optOuts } = contacts.asSystem(asking);
  if (meaning === 'stop') await optOuts.add({ number, at });
  if (meaning === 'start') await optOuts.remove({ number, at });
  if (meaning === 'pause') await optOuts.pause({ number, at });
}

async function changePause(query: Query, { meaning, from_number, received_at }: LeasedText) {
  if (meaning === 'pause') await pauseTexts(query, from_number, received_at);
  if (meaning === 'start') await endPause(query, from_number, received_at);
}

/** Records the text as an event of the contact who was texted last at the number, otherwise of all who have the number. */
async function record(
  asking: PeerContext,
  { id, description, received_at }: LeasedText,
  lastContact: number | undefined,
  matching: readonly number[],
) {
  const { events } = contacts.asSystem(asking);
  const recordFor = (contact_ids: readonly number[]) =>
    events.recordText({ text_id: id, contact_ids: [...contact_ids], description, at: received_at });
  const ofLast = lastContact === undefined ? [] : await recordFor([lastContact]);
  return ofLast.length > 0 || matching.length === 0 ? ofLast : recordFor(matching.slice(0, 1000));
}

const replyOf = ({ id, from_number: number, received_at: at }: LeasedText) => ({ id, number, at });
