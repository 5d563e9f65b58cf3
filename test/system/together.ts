import { type Actor, actorAt, gateway } from '@crm/auth';
import type { Caller } from '@crm/client';
import { createGateway } from '@crm/gateway';
import { linkedPeers, machineClock, type RunningService, startService } from '@crm/service';
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
      host: '127.0.0.1',
      port: 0,
      peers: linkedPeers(callersOf(running), definition.name),
      clock: machineClock,
      log,
      // Each answer is compared with the document where it arrives, and so in the form a client gets.
      checkAnswers: true,
    });
    cleanup.defer(service.close);
    running.set(definition.name, service);
  }
  const callers = callersOf(running);
  const app = createGateway({
    callers,
    admit: resolverAt(callers.identity),
    asGateway: async () => ({ actor: gateway }),
    log,
  });
  await app.listen({ host: '127.0.0.1', port });
  cleanup.defer(() => app.close());
  const services = Object.fromEntries([...running].map(([name, { url }]) => [name, url]));
  return { url: `http://127.0.0.1:${port}`, services, logs };
}

const callersOf = (running: ReadonlyMap<string, RunningService>) =>
  Object.fromEntries([...running].map(([name, { call }]) => [name, call]));

function resolverAt(identity: Caller | undefined) {
  return async (token: string, _service: string, { address }: { readonly address: string }) => {
    if (!identity) throw new Error('There is no identity to ask.');
    const call = { procedure: 'actors.resolve', credential: undefined, requestId: 'admit' };
    const { text } = await identity({ ...call, input: { token } });
    return { credential: { actor: actorAt(JSON.parse(text) as Actor, address) } };
  };
}
