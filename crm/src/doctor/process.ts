import { hostsOf } from '@crm/data';
import type { FoundSystem } from '../system/find-system.ts';
import { isAlive, type RunningSystem, readSystemFile } from '../system/system-file.ts';
import { type Finding, ok, problem } from './finding.ts';

/** The process and the servers of the data folder, or nothing if the commands use a system elsewhere. */
export function checkProcess(found: FoundSystem, folder: string): Finding[] {
  const system = readSystemFile(folder);
  if (!system || system.gateway !== found.gateway) return [];
  const { pid, shape, startedAt, versions } = system;
  if (!isAlive(pid)) {
    const detail = `process ${pid}, started ${startedAt}, was killed`;
    return [problem('System', detail, 'Run `npm start`; no data is lost.')];
  }
  const detail = `process ${pid} since ${startedAt}, ${shape}, Node ${versions.node}`;
  return [ok('System', detail), ...checkServers(system)];
}

function checkServers({ versions, databaseUrls, natsUrl, messages }: RunningSystem): Finding[] {
  const databases = new Set(Object.values(databaseUrls).map((url) => hostsOf(url)));
  const brokers = natsUrl.split(',').map((url) => new URL(url).host);
  return [
    ok('PostgreSQL', `${versions.postgres ?? 'configured'}, at ${[...databases].join(', ')}`),
    ok('NATS', `${versions.nats ?? 'configured'}, at ${brokers.join(', ')}`),
    ok(
      'Messages',
      messages === undefined ? 'are sent to real recipients' : `stay on this machine; see ${messages}`,
    ),
  ];
}
