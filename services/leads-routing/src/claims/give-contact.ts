import type { Query } from '@crm/data';
import {
  type Context,
  type PeerContext,
  refusalIn,
  repeatAfterCommits,
  resume,
  type Worker,
  type WorkerContext,
  within,
} from '@crm/service';
import { inPortions } from '../leads/in-portions.ts';
import { contacts, identity } from '../peers.ts';
import { contactToGive, type Gift, leadsToGive, markGiven } from './claim.queries.ts';

/** The longest that a user who claims a lead waits; what is unfinished by then is done later. */
const budgetMs = 2_000;

/**
 * Gives the user who claimed a lead access to its contact, if the creator of the lead still sees the contact. Repeating
 * it changes nothing.
 */
async function giveContact(peers: PeerContext, query: Query, gift: Gift) {
  try {
    await within(budgetMs, (signal) => giveAs(peers, gift, signal));
  } catch (error) {
    // The contact was removed, or the creator no longer sees it.
    if (refusalIn(error)?.name !== 'NotFound') throw error;
  }
  await markGiven(query, gift.lead_id);
}

async function giveAs(peers: PeerContext, gift: Gift, signal: AbortSignal): Promise<void> {
  const { contact_id, user_id, creator_user_id, is_given } = gift;
  const { shares } = contacts.asSystem(peers);
  if (is_given) {
    await shares.give({ contact_id, user_id, is_given }, { signal });
    return;
  }
  const [giver] = await identity.asSystem(peers).actors.ofUsers({ ids: [creator_user_id] }, { signal });
  // A disabled creator sees nothing.
  if (!giver) return;
  await shares.give({ contact_id, user_id, giver }, { signal });
}

/**
 * Gives access to the contact after a claim, unless it was already given. Never throws: what cannot be done now is left
 * to the worker.
 */
export async function giveContactAtOnce(
  ctx: PeerContext & Pick<Context, 'query' | 'log'>,
  leadId: number,
): Promise<void> {
  try {
    const gift = await contactToGive(ctx.query, leadId);
    if (gift) await giveContact(ctx, ctx.query, gift);
  } catch (error) {
    ctx.log.warn({ err: error, lead: leadId }, 'the contact of a claimed lead will be given later');
  }
}

const everyMs = 2_000;
const againMs = 5_000;

/**
 * Gives access to contacts of claimed leads where that was not possible at once. A lead that fails does not delay the
 * others. Returns the milliseconds until the next try.
 */
export async function giveWaitingContacts({
  database,
  peers,
  log,
}: WorkerContext): Promise<number | undefined> {
  const { query } = database;
  let isAnyLeft = false;
  for await (const id of inPortions((after) => leadsToGive(query, after))) {
    const gift = await contactToGive(query, id);
    if (!gift) continue;
    const give = (requestId: string) => giveContact({ peers, requestId }, query, gift);
    await resume('give contact', gift, give).catch((error: unknown) => {
      isAnyLeft = true;
      log.warn({ err: error, lead: id }, 'the contact of a claimed lead could not be given yet');
    });
  }
  return isAnyLeft ? againMs : undefined;
}

export const giveContactsWorker: Worker = async (workerContext) =>
  repeatAfterCommits(
    'give contacts of claimed leads',
    everyMs,
    () => giveWaitingContacts(workerContext),
    workerContext,
  );
