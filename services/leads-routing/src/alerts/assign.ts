import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import { crashPoint } from '@crm/dispatch';
import { systemContext, type WorkerContext } from '@crm/service';
import { type Assignment, assignAutomatically } from '../claims/assign-automatically.ts';
import { giveContactAtOnce } from '../claims/give-contact.ts';

/** Assigns a lead to the member of an alert, unless it has already been claimed. */
export async function assign(
  { database, clock, peers, log }: WorkerContext,
  assignment: Assignment,
  requestId: string = randomUUID(),
): Promise<void> {
  await emFor(database.orm, system).transactional((em) =>
    assignAutomatically(systemContext(em, requestId, clock()), assignment),
  );
  await crashPoint('alert.assigned');
  await giveContactAtOnce({ peers, requestId, log, query: database.query }, assignment.lead_id);
}
