import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';

interface Guesser {
  readonly applicationId: number;
  readonly network: string;
}

const windowText = "interval '10 minutes'";

const Failures = z.object({ failures: z.int() });

/** The number of wrong secrets for an application from a network in the last ten minutes. */
export async function failuresOf(query: Query, { applicationId, network }: Guesser): Promise<number> {
  const row = await queryFirst(
    query,
    Failures,
    `select failures from client_failures
     where application_id = $1 and network = $2 and since > now() - ${windowText}`,
    [applicationId, network],
  );
  return row?.failures ?? 0;
}

export async function recordClientFailure(query: Query, { applicationId, network }: Guesser): Promise<void> {
  await query(
    `insert into client_failures as f (application_id, network, failures, since) values ($1, $2, 1, now())
     on conflict (application_id, network) do update set
       failures = case when f.since > now() - ${windowText} then f.failures + 1 else 1 end,
       since = case when f.since > now() - ${windowText} then f.since else now() end`,
    [applicationId, network],
  );
}

export async function forgetClientFailures(query: Query): Promise<void> {
  await query(`delete from client_failures where since < now() - ${windowText}`, []);
}
