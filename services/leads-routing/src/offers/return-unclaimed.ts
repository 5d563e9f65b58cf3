import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import {
  dueIn,
  repeatAfterCommits,
  resume,
  systemContext,
  type TransactionContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { inPortions } from '../leads/in-portions.ts';
import { Lead } from '../leads/lead.entity.ts';
import { turnsToEnd } from '../leads/lead.queries.ts';
import { beginNextTurn } from './begin-next-turn.ts';
import { lateOffers, withdrawLateOffers } from './disabled-member.queries.ts';
import { hasOpenOffer } from './offer.queries.ts';
import { returnLead } from './return-lead.ts';
import { hasFoundNobody, leadsThatFoundNobody, leadsWithoutTurn } from './unclaimed-lead.queries.ts';

const everyMs = 1_000;

/** Gives leads that nobody claimed in time or can claim any longer to their creators, and ends turns that have become void. */
export const unclaimedLeadsWorker: Worker = async (workerContext) =>
  repeatAfterCommits('return unclaimed leads', everyMs, () => returnUnclaimed(workerContext), workerContext);

/** A lead that fails does not delay the others, and is retried. Returns the milliseconds until the next run. */
export async function returnUnclaimed(workerContext: WorkerContext): Promise<number | undefined> {
  const { query } = workerContext.database;
  await withdrawLateOffers(query);
  let isAnyLeft = false;
  for (const { find, treat } of treatments) {
    for await (const id of inPortions((after) => find(query, after))) {
      await withLead(workerContext, id, treat).catch((error: unknown) => {
        isAnyLeft = true;
        workerContext.log.error(
          { err: error, lead: id },
          'an unclaimed lead cannot be moved on and will be retried',
        );
      });
    }
  }
  return isAnyLeft ? everyMs : dueIn(query, `${turnsToEnd} union all ${lateOffers}`);
}

/** Locks a lead and does something with it, with its cause. */
async function withLead(
  { database, clock }: WorkerContext,
  id: number,
  act: (ctx: TransactionContext, lead: Lead) => Promise<void>,
): Promise<void> {
  await emFor(database.orm, system).transactional(async (em) => {
    const lead = await em.findOne(Lead, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (lead)
      await resume('move lead on', lead, (requestId) => act(systemContext(em, requestId, clock()), lead));
  });
}

async function returnOne(ctx: TransactionContext, lead: Lead): Promise<void> {
  const { query } = ctx;
  // Since the lead was found, somebody may have claimed it, or more members may have been offered it.
  if (!(await hasFoundNobody(query, lead.id))) return;
  const reason = (await hasOpenOffer(query, lead.id)) ? 'Nobody claimed it' : 'Nobody to offer it to';
  await returnLead(ctx, lead, reason);
}

const treatments = [
  { find: leadsThatFoundNobody, treat: returnOne },
  { find: leadsWithoutTurn, treat: (ctx: TransactionContext, { id }: Lead) => beginNextTurn(ctx, id) },
] as const;
