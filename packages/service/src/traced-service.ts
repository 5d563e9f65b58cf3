import { type CallService, type RemoteService, remoteService } from '@crm/client';
import { Refused } from '@crm/contract';
import { type SpanFacts, traced, traceparent } from '@crm/telemetry';

/** Like `remoteService`, with a span for each call, whose context is sent to the service. */
export function tracedService(url: string): RemoteService {
  const { call, close } = remoteService(url);
  const { hostname, port } = new URL(url);
  const spanOf = (procedure: string): SpanFacts => ({
    name: procedure,
    kind: 'client',
    attributes: {
      'rpc.system.name': 'trpc',
      'rpc.method': procedure,
      'server.address': hostname,
      'server.port': Number(port || 80),
    },
    isExpected: (error) => error instanceof Refused && error.name !== 'Unavailable',
  });
  return {
    call: (given) =>
      traced(
        () => spanOf(given.procedure),
        () => call({ ...given, traceparent: traceparent() }),
      ),
    close,
  };
}

/** The services at some URLs, by name. */
export function tracedServices(urls: ReadonlyMap<string, string>) {
  const remotes = [...urls].map(([name, url]) => ({ name, ...tracedService(url) }));
  return {
    services: Object.fromEntries(remotes.map(({ name, call }): [string, CallService] => [name, call])),
    close: async () => void (await Promise.all(remotes.map((remote) => remote.close()))),
  };
}
