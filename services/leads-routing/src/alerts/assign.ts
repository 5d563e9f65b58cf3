import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import type { Clock } from '@crm/service';
import { assignAutomatically } from '../claims/assign-automatically.ts';
import { type DueAlert, settle } from './alert.queries.ts';
import { fault } from './fault.ts';
import type { Participants } from './load-participants.ts';
import { recipientOf } from './recipient.ts';

interface Assigning {
  readonly database: Database;
  readonly clock: Clock;
  readonly requestId: string;
}

/** Assigns a lead to the member of an alert, unless the account is disabled or somebody has already claimed it. */
export async function assign(
  { database, clock, requestId }: Assigning,
  alert: DueAlert,
  participants: Participants,
): Promise<void> {
  const recipient = recipientOf(alert, participants);
  if ('obstacle' in recipient) {
    return settle(database.query, alert, { state: 'Failed', reason: recipient.obstacle });
  }
  await emFor(database.orm, system).transactional(async (em) => {
    const now = clock();
    await assignAutomatically({ em, query: queryIn(em), actor: system, requestId, now: () => now }, alert);
  });
  await fault('alert.assigned');
}
