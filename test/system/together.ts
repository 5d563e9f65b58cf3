import { gateway } from '@crm/auth';
import { createGateway } from '@crm/gateway';
import { linkedAdmission, linkedPeers, machineClock, type RunningService, startService } from '@crm/service';
import { pino } from 'pino';
import type { Ground, LogLine, Running } from './shape.ts';

/** All in this process: the gateway calls the services without HTTP, and passes on who was resolved. */
export async function startTogether({
  definitions,
  database,
  poolerUrl,
  natsUrls,
  port,
  cleanup,
}: Ground): Promise<Running> {
  const logs: LogLine[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logs.push(JSON.parse(line)) });
  const running = new Map<string, RunningService>();
  for (const definition of definitions) {
    const service = await startService(definition, {
      databaseUrl: database.urls[definition.store.schema] ?? '',
      poolerUrl,
      natsUrl: natsUrls[definition.name] ?? '',
      natsReplicas: 1,
      auditDays: 400,
      historyDays: undefined,
      host: '127.0.0.1',
      port: 0,
      peers: linkedPeers(servicesIn(running), definition.name),
      clock: machineClock,
      log,
      // Each answer is compared with the document where it arrives, and so in the form a client gets.
      checkAnswers: true,
      drainMs: 0,
    });
    cleanup.defer(service.close);
    running.set(definition.name, service);
  }
  const services = servicesIn(running);
  const { identity } = services;
  if (!identity) throw new Error('The identity service is missing.');
  const app = createGateway({
    services,
    admit: linkedAdmission(identity),
    asGateway: async () => ({ actor: gateway }),
    log,
  });
  await app.listen({ host: '127.0.0.1', port });
  cleanup.defer(() => app.close());
  const urls = Object.fromEntries([...running].map(([name, { url }]) => [name, url]));
  return { url: `http://127.0.0.1:${port}`, services: urls, logs };
}

const servicesIn = (running: ReadonlyMap<string, RunningService>) =>
  Object.fromEntries([...running].map(([name, { call }]) => [name, call]));
