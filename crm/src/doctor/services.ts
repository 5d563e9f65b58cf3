import { variablePrefix } from '@crm/service/process';
import { z } from 'zod';
import type { FoundSystem } from '../system/find-system.ts';
import { Blockers, checkBlockers } from './blockers.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const patienceMs = 5_000;
/** Events are published within a second, so this delay has a cause. */
const lateSeconds = 30;

const restart = 'Restart the system with `npm start`; its logs show why it ended.';

const GatewayStatus = z.object({ services: z.record(z.string(), z.string()) });

/** The checked parts of a `ServiceStatus`. */
const Status = z.object({
  version: z.string(),
  database: z.object({ version: z.string(), acceptsWrites: z.boolean(), locale: z.string() }),
  migrations: z.object({ applied: z.number(), missing: z.array(z.string()) }),
  broker: z.object({ connected: z.boolean() }),
  clock: z.object({ aheadMs: z.number() }),
  outbox: z.object({ waiting: z.number(), oldestSeconds: z.number(), lostAt: z.string().nullable() }),
  deadLetters: z.number(),
  problems: z.array(z.object({ what: z.string(), count: z.number(), reason: z.string().nullable() })),
  endingIds: z.array(z.object({ sequence: z.string(), usedPercent: z.number() })),
  blockers: Blockers,
});

type Status = z.infer<typeof Status>;

/** Whether the public API responds and reaches its services. */
export async function checkGateway({ gateway }: FoundSystem): Promise<Finding> {
  const response = await request(`${gateway}/status`);
  if (!response) return problem('Gateway', `${gateway} does not respond`, restart);
  const services = (await bodyOf(response, GatewayStatus))?.services;
  if (!services)
    return problem(
      'Gateway',
      `${gateway}/status responded with ${response.status} but without the status of the services`,
      'Set CRM_URL to the address of the gateway.',
    );
  const missing = Object.keys(services).filter((name) => services[name] !== 'ok');
  if (missing.length > 0)
    return problem('Gateway', `${gateway} cannot reach ${missing.join(', ')}`, 'See the services below.');
  return ok('Gateway', `${gateway} is ready; the reference is at ${gateway}/docs`);
}

/** The status of a service, with one finding for each thing that can be wrong. */
export async function checkService(name: string, url: string, operatorToken: string): Promise<Finding[]> {
  const ready = await request(`${url}/readyz`);
  if (!ready) return [problem(name, `${url} does not respond`, restart)];
  if (!ready.ok) return [await unready(name, url, ready)];
  const response = await request(`${url}/status`, operatorToken);
  if (!response?.ok) return withoutStatus(name, url, response);
  const status = await bodyOf(response, Status);
  if (!status)
    return [
      problem(
        name,
        `${url} responded without its status`,
        `Set ${variablePrefix(name)}_URL to the address of the service, and make sure that it has the same version as this command.`,
      ),
    ];
  return [
    ok(name, `${url}, version ${status.version}, PostgreSQL ${status.database.version}`),
    ...checkDatabase(name, status),
    ...checkBlockers(name, status.blockers),
    ...checkIds(name, status),
    checkMigrations(name, status),
    checkBroker(name, status),
    ok(`${name} clock`, `${status.clock.aheadMs} ms ahead of the database`),
    checkOutbox(name, status),
    checkDeadLetters(name, status),
    ...checkLoss(name, status),
    ...checkProblems(name, status),
  ];
}

const Readiness = z.object({ reason: z.string().optional() });

async function unready(name: string, url: string, response: Response): Promise<Finding> {
  const reason = (await bodyOf(response, Readiness))?.reason;
  if (reason === undefined)
    return problem(name, `${url} is not ready`, 'Its database does not respond; see its log.');
  return problem(name, `${url} is not ready: ${reason}`, 'Synchronize the clocks of the machines with NTP.');
}

const Refusal = z.object({ blockers: Blockers });

/** A service whose tables are locked may be unable to report its status, but not who blocks it. */
async function withoutStatus(name: string, url: string, response: Response | undefined): Promise<Finding[]> {
  const code = response?.status ?? 'no response';
  if (code === 401 || code === 403) {
    const fix = 'Set OPERATOR_TOKEN to the one that identity was started with.';
    return [problem(name, `${url} does not accept the operator token (${code})`, fix)];
  }
  const blockers = (response && (await bodyOf(response, Refusal)))?.blockers ?? [];
  return [
    problem(
      name,
      `${url} does not return its status (${code})`,
      'Check what its database is waiting for, and its log.',
    ),
    ...checkBlockers(name, blockers),
  ];
}

/** Locales in which texts are ordered by code point, which no library changes. */
const byCodePoint = /^(C|POSIX|C\.UTF-?8|PG_UNICODE_FAST)$/i;

function checkDatabase(name: string, { database: { acceptsWrites, locale } }: Status): Finding[] {
  const part = `${name} database`;
  const full =
    'Check whether the disk of its server is nearly full, and whether DATABASE_URL points to the primary.';
  const other =
    'Restore a backup into a database with the locale C.UTF-8 (docs/operations/install.md); until then, reindex it whenever its operating system is upgraded.';
  return [
    ...(acceptsWrites ? [] : [problem(part, 'accepts no writes', full)]),
    ...(byCodePoint.test(locale) ? [] : [warning(part, `sorts text by the locale ${locale}`, other)]),
  ];
}

const checkIds = (name: string, { endingIds }: Status): Finding[] =>
  endingIds.map(({ sequence, usedPercent }) =>
    warning(
      `${name} database`,
      `${usedPercent} % of the ids of ${sequence} are used`,
      'When all are used, nothing can be added to its table. docs/scale.md says when that is and what to do, under "Partitions".',
    ),
  );

function checkMigrations(name: string, { migrations: { applied, missing } }: Status): Finding {
  const part = `${name} schema`;
  if (missing.length === 0) return ok(part, `${applied} migrations applied, none missing`);
  return problem(part, `${missing.join(', ')} not applied`, 'Run `npm run crm -- migrate`.');
}

function checkBroker(name: string, { broker }: Status): Finding {
  const part = `${name} broker`;
  if (broker.connected) return ok(part, 'connected');
  return problem(part, 'not connected; events wait in the outbox', 'Restart NATS or correct NATS_URL.');
}

function checkOutbox(name: string, { outbox: { waiting, oldestSeconds } }: Status): Finding {
  const part = `${name} outbox`;
  if (waiting === 0) return ok(part, 'empty');
  const detail = `${waiting} events wait, the oldest for ${Math.round(oldestSeconds)} s`;
  if (oldestSeconds < lateSeconds) return ok(part, detail);
  return warning(part, detail, 'Check the broker; events are published once it is available.');
}

function checkDeadLetters(name: string, { deadLetters }: Status): Finding {
  const part = `${name} dead letters`;
  if (deadLetters === 0) return ok(part, 'none');
  const fix = 'See `npm run crm -- dead-letters list`, fix the cause, then redrive them.';
  return warning(part, `events that could not be handled: ${deadLetters}`, fix);
}

/** As long as somebody may ask why events arrived twice or late. */
const lossMs = 7 * 86_400_000;

function checkLoss(name: string, { outbox: { lostAt } }: Status): Finding[] {
  if (lostAt === null || Date.parse(lostAt) < Date.now() - lossMs) return [];
  const detail = `the broker lost events at ${lostAt}; they were published again`;
  return [
    warning(`${name} broker`, detail, 'Find out why, unless the machine lost power; see the log of NATS.'),
  ];
}

function checkProblems(name: string, { problems }: Status): Finding[] {
  return problems.map(({ what, count, reason }) =>
    warning(
      `${name} ${what}`,
      `${count} postponed: ${reason ?? 'see the log'}`,
      'See the log of the service.',
    ),
  );
}

async function request(url: string, token?: string): Promise<Response | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
}

/** Undefined for a response of another program or version. */
async function bodyOf<Schema extends z.ZodType>(response: Response, schema: Schema) {
  return schema.safeParse(await response.json().catch(() => undefined)).data;
}
