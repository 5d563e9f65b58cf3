/**
 * A process of its own with a relay that never gets past the moment between the broker's acknowledgement and
 * the mark, so that it can be killed there. It says `holding` when it is there.
 */
import pg from 'pg';
import { pino } from 'pino';
import { connectBroker } from '../src/broker.ts';
import { setFault } from '../src/fault.ts';
import { startRelay } from '../src/relay.ts';

const [postgresUrl, natsUrl, service] = process.argv.slice(2);
if (!postgresUrl || !natsUrl || !service) throw new Error('Say where the servers are, and for whom to send.');

const log = pino({ level: 'silent' });
setFault('relay.sent', () => {
  process.stdout.write('holding\n');
  return new Promise<void>(() => {});
});
startRelay({
  pool: new pg.Pool({ connectionString: postgresUrl }),
  broker: connectBroker({ url: natsUrl, name: 'held', log }),
  service,
  log,
});
