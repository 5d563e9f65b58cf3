import { hostsOf } from '@crm/data';
import type { FoundSystem } from '../system/find-system.ts';
import { isRunning } from '../system/is-running.ts';
import { type RunningSystem, readSystemFile } from '../system/system-file.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** What is known about the system of the data folder; undefined if the commands use a system elsewhere. */
function systemHere({ gateway }: FoundSystem, folder: string): RunningSystem | undefined {
  const system = readSystemFile(folder);
  return system?.gateway === gateway ? system : undefined;
}

/** The process and the servers of the data folder; empty if the commands use a system elsewhere. */
export function checkProcess(found: FoundSystem, folder: string): Finding[] {
  const system = systemHere(found, folder);
  if (!system) return [];
  const { pid, shape, startedAt, versions } = system;
  if (!isRunning(system)) {
    const detail = `process ${pid}, started ${startedAt}, was killed`;
    return [problem('System', detail, 'Run `npm start`; no data is lost.')];
  }
  const detail = `process ${pid} since ${startedAt}, ${shape}, Node ${versions.node}`;
  return [ok('System', detail), ...checkServers(system)];
}

function checkServers(system: RunningSystem): Finding[] {
  const { versions, databaseUrls, natsUrl } = system;
  const databases = new Set(Object.values(databaseUrls).map((url) => hostsOf(url)));
  const brokers = natsUrl.split(',').map((url) => new URL(url).host);
  return [
    ok('PostgreSQL', `${versions.postgres ?? 'configured'}, at ${[...databases].join(', ')}`),
    ok('NATS', `${versions.nats ?? 'configured'}, at ${brokers.join(', ')}`),
    checkMessages(system),
  ];
}

function checkMessages({ messages, sends = [], unusedProviders = [] }: RunningSystem): Finding {
  const part = 'Messages';
  if (messages === undefined) return ok(part, 'are sent to real recipients');
  const sent = sends.map((kind) => `${kind} are sent to real recipients, all others `).join('');
  const detail = `${sent}stay on this machine; see ${messages}`;
  if (unusedProviders.length === 0) return ok(part, detail);
  const overridden = unusedProviders.join(', ');
  const fix = `LOCAL_CARRIERS is on and overrides ${overridden}. Remove it to send messages.`;
  return warning(part, detail, fix);
}

/**
 * Whether campaign e-mails contain the operator's postal address, as laws require. For a system elsewhere, the variables tell.
 */
export function checkPostalAddress(found: FoundSystem, folder: string, env: NodeJS.ProcessEnv): Finding[] {
  const system = systemHere(found, folder);
  const lacks = system ? system.hasPostalAddress === false : env.MAIL_FROM && !env.MAIL_POSTAL_ADDRESS;
  if (!lacks) return [];
  const fix = 'Set MAIL_POSTAL_ADDRESS to yours, in one line; laws require it in advertising e-mails.';
  return [warning('E-mails', 'campaign e-mails have no postal address', fix)];
}
