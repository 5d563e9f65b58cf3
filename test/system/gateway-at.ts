import { remoteService } from '@crm/client';
import { createGateway, withServiceToken } from '@crm/gateway';
import { pino } from 'pino';
import type { Running } from './shape.ts';

type Gateway = Parameters<typeof createGateway>[0];

interface Options extends Pick<Gateway, 'rateLimits'> {
  /** Wraps how tokens are admitted. */
  readonly admitThrough?: (admit: Gateway['admit']) => Gateway['admit'];
}

interface Behind {
  readonly services: Running['services'];
  readonly serviceToken: string;
}

/** Another gateway in front of the services of a system. */
export async function startGatewayAt(
  { services, serviceToken }: Behind,
  { rateLimits, admitThrough = (admit) => admit }: Options,
) {
  const remotes = Object.entries(services).map(([name, url]) => [name, remoteService(url)] as const);
  const calls = Object.fromEntries(remotes.map(([name, { call }]) => [name, call]));
  const { identity } = calls;
  if (!identity) throw new Error('The identity service is missing.');
  const { admit, asGateway } = withServiceToken(identity, serviceToken);
  const log = pino({ level: 'silent' });
  const app = createGateway({
    services: calls,
    admit: admitThrough(admit),
    asGateway,
    rateLimits,
    log,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await app.close();
    await Promise.all(remotes.map(([, remote]) => remote.close()));
  };
  return { url, stop };
}
