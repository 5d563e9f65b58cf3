import type { MessageTable, RowRule, Store } from '@crm/data';
import type pg from 'pg';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, examplesShown } from './discrepancy.ts';

const longAgo = "now() - interval '10 minutes'";

/** The rules for the responses that every service stores. */
const answers: readonly RowRule[] = [
  {
    what: 'idempotency keys without the response to their request',
    wrong: `select actor || ' ' || key as id from idempotency_keys
      where num_nonnulls(answer, problem) <> 1 and created_at < now() - interval '1 hour'`,
    advice:
      'Find out in the audit log whether the request took effect. Until the key is a day old, a repeated request is refused.',
  },
  {
    what: 'idempotency keys that were kept for too long',
    wrong:
      "select actor || ' ' || key as id from idempotency_keys where created_at < now() - interval '2 days'",
    advice: 'See the log of the service; its workers may not run.',
  },
];

/** The rules for messages: those that are due are sent or have a reason why not. */
function rulesOf({ name, state, reason, waiting, isDue = 'true' }: MessageTable): RowRule[] {
  return [
    {
      what: `${name} that are due and wait without a reason`,
      wrong: `select t.id from ${name} t where t.${state} = '${waiting}' and t.next_attempt_at < ${longAgo}
        and t.${reason} is null and to_jsonb(t) ->> 'problem' is null and ${isDue}`,
      advice: 'See the log of the service; its workers may not run, or a provider may be slow.',
    },
    {
      what: `${name} whose lease has ended and that nobody took over`,
      wrong: `select t.id, t.begun_at from ${name} t where t.${state} = 'Sending' and t.lease_until < ${longAgo}`,
      advice:
        'See the log of the service, which takes them over when it runs. `crm verify --repair` lets those that nobody has begun to send wait again.',
      repair: `update ${name} t set ${state} = '${waiting}', lease_until = null from wrong
        where t.id = wrong.id and wrong.begun_at is null and t.${state} = 'Sending'
          and t.begun_at is null and t.lease_until < ${longAgo}`,
    },
  ];
}

/** Compares rows with the rules of their service. */
export async function verifyRows(
  client: pg.Client,
  service: ServiceName,
  { consistency, messages = [] }: Store,
  repair: boolean,
): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const rule of [...answers, ...messages.flatMap(rulesOf), ...(consistency?.rules ?? [])])
    found.push(...(await broken(client, service, rule, repair)));
  return found;
}

async function broken(
  client: pg.Client,
  service: ServiceName,
  { what, wrong, advice, repair }: RowRule,
  isRepairing: boolean,
): Promise<Discrepancy[]> {
  const { rows } = await client.query<{ count: number; examples: string[] }>(
    `with wrong as (${wrong}) select (select count(*)::int from wrong) as count,
       array(select id::text from wrong order by id limit ${examplesShown}) as examples`,
  );
  const [{ count, examples } = { count: 0, examples: [] }] = rows;
  if (count === 0) return [];
  const repaired =
    isRepairing && repair ? await client.query(`with wrong as (${wrong}) ${repair}`) : undefined;
  return [{ service, what, count, examples, advice, repaired: repaired?.rowCount ?? 0 }];
}
