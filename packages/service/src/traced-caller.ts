import { type RemoteCaller, remoteCaller } from '@crm/client';
import { Refused } from '@crm/contract';
import { type SpanFacts, traced, traceparent } from '@crm/telemetry';

/** Like `remoteCaller`, with a span for each call, whose context is sent to the service. */
export function tracedCaller(url: string): RemoteCaller {
  const { call, close } = remoteCaller(url);
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
