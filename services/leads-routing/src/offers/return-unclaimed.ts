import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import {
  dueIn,
  repeatAfterCommits,
  resume,
  systemContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { inPortions } from '../leads/in-portions.ts';
import { Lead } from '../leads/lead.entity.ts';
import { turnsToEnd } from '../leads/lead.queries.ts';
import { hasFoundNobody, hasOpenOffer, leadsThatFoundNobody } from './offer.queries.ts';
import { returnLead } from './return-lead.ts';

const everyMs = 1_000;

/** Gives leads that nobody claimed in time or can claim any longer to their creators. */
export const unclaimedLeadsWorker: Worker = async (workerContext) =>
  repeatAfterCommits('return unclaimed leads', everyMs, () => returnUnclaimed(workerContext), workerContext);

/** A lead that fails does not delay the others, and is retried. Returns the milliseconds until the next run. */
export async function returnUnclaimed(workerContext: WorkerContext): Promise<number | undefined> {
  const { query } = workerContext.database;
  let isAnyLeft = false;
  for await (const id of inPortions((after) => leadsThatFoundNobody(query, after))) {
    await returnOne(workerContext, id).catch((error: unknown) => {
      isAnyLeft = true;
      workerContext.log.error({ err: error, lead: id }, 'a lead could not be returned and will be retried');
    });
  }
  return isAnyLeft ? everyMs : dueIn(query, turnsToEnd);
}

async function returnOne({ database, clock }: WorkerContext, id: number): Promise<void> {
  await emFor(database.orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const lead = await em.findOne(Lead, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // Since the lead was found, somebody may have claimed it, or more members may have been offered it.
    if (!lead || !(await hasFoundNobody(query, id))) return;
    const reason = (await hasOpenOffer(query, id)) ? 'Nobody claimed it' : 'Nobody to offer it to';
    await resume('return lead', lead, (requestId) =>
      returnLead(systemContext(em, requestId, clock()), lead, reason),
    );
  });
}
