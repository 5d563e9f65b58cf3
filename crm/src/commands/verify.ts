import type { Broker } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { withDatabases } from '../start/with-databases.ts';
import { dataFolderOf, makeDataFolder } from '../system/data-folder.ts';
import { natsUrlOf } from '../system/find-system.ts';
import { withBroker } from '../system/with-broker.ts';
import type { Discrepancy } from '../verify/discrepancy.ts';
import { verifySystem } from '../verify/verify-system.ts';

export interface VerifyOptions {
  readonly repair?: boolean;
}

const withoutBroker =
  'NATS cannot be reached, so streams and inboxes were not compared. Start the system, or set NATS_URL.';

/** Reports inconsistencies in the data of all services and in NATS, and fixes those that it can without loss. */
export async function verify(env: NodeJS.ProcessEnv, { repair = false }: VerifyOptions): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  const { found, hasBroker } = await withDatabases(env, folder, (urls) =>
    withBrokerIfAny(env, async (broker) => ({
      found: await verifySystem({ urls, broker, repair }),
      hasBroker: broker !== undefined,
    })),
  );
  const failed = found.length > 0 || !hasBroker;
  const lines = [
    ...(found.length > 0 ? [listOf(found), ''] : []),
    ...(hasBroker ? [] : [withoutBroker]),
    verdictOf(found, repair),
  ];
  return {
    json: { consistent: !failed, compared_events: hasBroker, findings: found },
    text: lines.join('\n'),
    failed,
  };
}

async function withBrokerIfAny<Value>(
  env: NodeJS.ProcessEnv,
  work: (broker: Broker | undefined) => Promise<Value>,
): Promise<Value> {
  const url = natsUrlOf(env);
  if (url === undefined) return work(undefined);
  const begun = { broker: false };
  try {
    return await withBroker(url, (broker) => {
      begun.broker = true;
      return work(broker);
    });
  } catch (error) {
    if (begun.broker) throw error;
    return work(undefined);
  }
}

function listOf(found: readonly Discrepancy[]): string {
  const rows = found.map(({ service, count, repaired, what, examples }) => [
    service,
    count,
    repaired,
    what,
    examples.join(', '),
  ]);
  const table = tableOf(['Service', 'Found', 'Repaired', 'Inconsistency', 'Examples'], rows);
  const advice = found.map(({ service, what, advice }) => `${service}, ${what}:\n  → ${advice}`);
  return [table, '', ...advice.map((line) => line.split('\n').map(printable).join('\n'))].join('\n');
}

function verdictOf(found: readonly Discrepancy[], repair: boolean): string {
  if (found.length === 0) return 'No inconsistencies were found.';
  return repair
    ? 'Repairs take effect within moments. Run `crm verify` again to see what you have to repair yourself.'
    : 'Run `crm verify --repair` to repair what can be repaired without loss.';
}
