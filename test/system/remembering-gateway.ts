import { type Credential, remoteCaller } from '@crm/client';
import { createGateway } from '@crm/gateway';
import { pino } from 'pino';
import type { Running } from './shape.ts';

const rememberedMs = 1_000;

/**
 * A gateway with a fault: it caches for a second whom a token belongs to. It shows that a test for stale responses
 * would find some.
 */
export async function startRememberingGateway(services: Running['services']) {
  const remotes = Object.entries(services).map(([name, url]) => [name, remoteCaller(url)] as const);
  const callers = Object.fromEntries(remotes.map(([name, { call }]) => [name, call]));
  const { identity } = callers;
  if (!identity) throw new Error('The identity service is missing.');
  const known = new Map<string, { readonly credential: Credential; readonly at: number }>();
  const admit = async (token: string, audience: string, requestId: string): Promise<Credential> => {
    const key = `${audience} ${token}`;
    const old = known.get(key);
    if (old && performance.now() - old.at < rememberedMs) return old.credential;
    const input = { token, audience };
    const { text } = await identity({
      procedure: 'actors.admit',
      input,
      credential: undefined,
      requestId,
    });
    const credential = { token: (JSON.parse(text) as { internal_token: string }).internal_token };
    known.set(key, { credential, at: performance.now() });
    return credential;
  };
  const app = createGateway({ callers, admit, log: pino({ level: 'silent' }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async () => {
    await app.close();
    await Promise.all(remotes.map(([, remote]) => remote.close()));
  };
  return { url, stop };
}
