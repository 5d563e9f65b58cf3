import type { ServiceStatus } from '@crm/service';
import type { FoundSystem } from '../system/find-system.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const patienceMs = 5_000;
/** Events leave within a second; so late, something holds them up. */
const lateSeconds = 30;

const startAgain = 'Start the system again with `npm start`; its logs say why it ended.';

/** Whether the public API answers and its services with it. */
export async function lookAtGateway({ gateway }: FoundSystem): Promise<Finding> {
  const answer = await ask(`${gateway}/readyz`);
  if (!answer) return problem('Gateway', `${gateway} does not answer`, startAgain);
  if (!answer.ok) return problem('Gateway', `${gateway} is not ready`, 'Look at the services below.');
  return ok('Gateway', `${gateway} is ready; the reference is at ${gateway}/docs`);
}

/** What a service says about itself, as one finding for each thing that can be wrong. */
export async function lookAtService(name: string, url: string, operatorToken: string): Promise<Finding[]> {
  const ready = await ask(`${url}/readyz`);
  if (!ready) return [problem(name, `${url} does not answer`, startAgain)];
  if (!ready.ok) return [problem(name, `${url} is not ready`, 'Its database does not answer; see its log.')];
  const answer = await ask(`${url}/status`, operatorToken);
  if (!answer?.ok) {
    const mend = 'Set OPERATOR_TOKEN to the one that identity was started with.';
    return [
      problem(name, `${url} does not accept the operator token (${answer?.status ?? 'no answer'})`, mend),
    ];
  }
  const status = (await answer.json()) as ServiceStatus;
  return [
    ok(name, `${url}, version ${status.version}, PostgreSQL ${status.database.version}`),
    lookAtMigrations(name, status),
    lookAtBroker(name, status),
    lookAtOutbox(name, status),
  ];
}

function lookAtMigrations(name: string, { migrations: { applied, missing } }: ServiceStatus): Finding {
  const part = `${name} schema`;
  if (missing.length === 0) return ok(part, `${applied} migrations applied, none missing`);
  return problem(part, `${missing.join(', ')} not applied`, 'Run `npm run crm -- migrate`.');
}

function lookAtBroker(name: string, { broker }: ServiceStatus): Finding {
  const part = `${name} broker`;
  if (broker.connected) return ok(part, 'connected');
  return problem(part, 'not connected; events wait in the outbox', 'Start NATS again, or mend NATS_URL.');
}

function lookAtOutbox(name: string, { outbox: { waiting, oldestSeconds } }: ServiceStatus): Finding {
  const part = `${name} outbox`;
  if (waiting === 0) return ok(part, 'no event waits');
  const detail = `${waiting} events wait, the oldest for ${Math.round(oldestSeconds)} s`;
  if (oldestSeconds < lateSeconds) return ok(part, detail);
  return warning(part, detail, 'Look at the broker; events go out by themselves when it answers.');
}

async function ask(url: string, token?: string): Promise<Response | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
}
