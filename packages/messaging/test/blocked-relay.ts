/**
 * A process with a relay that stops between the broker's acknowledgement and the mark, so that it can be killed there.
 * It prints `blocked` when it has reached that point.
 */
import pg from 'pg';
import { pino } from 'pino';
import { connectBroker } from '../src/broker.ts';
import { listenToCommits } from '../src/commits.ts';
import { setCrashPoint } from '../src/crash-point.ts';
import { startRelay } from '../src/relay.ts';

const [postgresUrl, natsUrl, service] = process.argv.slice(2);
if (!postgresUrl || !natsUrl || !service)
  throw new Error('Usage: blocked-relay.ts <postgres URL> <NATS URL> <service>');

const log = pino({ level: 'silent' });
setCrashPoint('relay.sent', () => {
  process.stdout.write('blocked\n');
  return new Promise<void>(() => {});
});
const pool = new pg.Pool({ connectionString: postgresUrl });
startRelay({
  pool,
  commits: listenToCommits(pool, log, () => new pg.Client(postgresUrl)),
  broker: connectBroker({ url: natsUrl, name: 'blocked', log }),
  service,
  log,
});
