/** A process that consumes the renamings of a publisher, and is killed by each one to "crash" while others are in progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@crm/data';
import { pino } from 'pino';
import { connectBroker } from '../src/broker.ts';
import { startConsumer } from '../src/consumer.ts';
import { countsRenamed } from './consuming.ts';
import { Copy } from './rig.ts';

const [postgresUrl, natsUrl, service, publisher] = process.argv.slice(2);
if (!postgresUrl || !natsUrl || !service || !publisher)
  throw new Error('Usage: crashing-consumer.ts <postgres URL> <NATS URL> <service> <publisher>');

const log = pino({ level: 'silent' });
const store = { schema: service, entities: [Copy], migrations: [] };
const { orm } = await openDatabase({ url: postgresUrl, store });
startConsumer({
  service,
  openEm: () => orm.em.fork(),
  broker: connectBroker({ url: natsUrl, name: 'crashing', log }),
  log,
  subscriptions: [
    countsRenamed({ service: publisher }, async ({ data }) => {
      await sleep(100);
      if ((data as { name: string }).name === 'crash') process.kill(process.pid, 'SIGKILL');
      await sleep(200);
    }),
  ],
  ackWaitMs: 500,
  maxFailures: 2,
});
