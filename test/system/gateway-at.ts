import { type Credential, remoteCaller } from '@crm/client';
import { createGateway } from '@crm/gateway';
import { pino } from 'pino';
import type { Running } from './shape.ts';

type Gateway = Parameters<typeof createGateway>[0];

interface Options extends Pick<Gateway, 'rateLimits'> {
  /** Wraps how tokens are admitted. */
  readonly admitThrough?: (admit: Gateway['admit']) => Gateway['admit'];
}

/** Another gateway in front of the services of a system. */
export async function startGatewayAt(
  services: Running['services'],
  { rateLimits, admitThrough = (admit) => admit }: Options,
) {
  const remotes = Object.entries(services).map(([name, url]) => [name, remoteCaller(url)] as const);
  const callers = Object.fromEntries(remotes.map(([name, { call }]) => [name, call]));
  const { identity } = callers;
  if (!identity) throw new Error('The identity service is missing.');
  const admit: Gateway['admit'] = async (token, audience, { requestId, address }): Promise<Credential> => {
    const input = { token, audience, address };
    const { text } = await identity({
      procedure: 'actors.admit',
      input,
      credential: undefined,
      requestId,
    });
    return { token: (JSON.parse(text) as { internal_token: string }).internal_token };
  };
  const log = pino({ level: 'silent' });
  const app = createGateway({ callers, admit: admitThrough(admit), rateLimits, log });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await app.close();
    await Promise.all(remotes.map(([, remote]) => remote.close()));
  };
  return { url, stop };
}
