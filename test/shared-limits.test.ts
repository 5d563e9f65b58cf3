import { variablePrefix } from '@crm/service/process';
import { faultyProxy, startValkey } from '@crm/testing';
import { request } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { spawnMain } from './system/child-process.ts';
import type { LogLine } from './system/shape.ts';
import { shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: two gateways behind a balancer', async (shape) => {
  const system = await startSystem(shape);
  const cleanup = new AsyncDisposableStack();
  afterAll(async () => {
    await cleanup.disposeAsync();
    await system.stop();
  });

  const startGateway = async (env: Readonly<Record<string, string>>) => {
    const logs: LogLine[] = [];
    const services = Object.entries(system.services).map(([name, url]) => [
      `${variablePrefix(name)}_URL`,
      url,
    ]);
    const own = { SERVICE_TOKEN: system.credentials.gateway ?? '', HOST: '127.0.0.1', PORT: '0' };
    const main = spawnMain(
      'gateway/src/main.ts',
      { ...Object.fromEntries(services), ...own, ...env },
      (line) => {
        logs.push(line);
      },
    );
    cleanup.defer(main.stop);
    return { url: await main.url, served: () => logs.filter(({ msg }) => msg === 'request').length };
  };

  it('accept together what RATE_LIMIT_TOKEN says, whichever the balancer asks', async () => {
    const valkey = await startValkey();
    cleanup.defer(valkey.stop);
    const env = { RATE_LIMIT_URL: valkey.url, RATE_LIMIT_TOKEN: '6' };
    const gateways = await Promise.all([startGateway(env), startGateway(env)]);
    let connections = 0;
    const balancer = await faultyProxy(() => gateways[connections++ % gateways.length]?.url);
    cleanup.defer(async () => balancer.close());
    /** What ten requests with a new token are answered, each over a connection of its own, so that the balancer chooses. */
    const answered = async () => {
      const { token } = await system.person();
      const statuses: number[] = [];
      for (let sent = 0; sent < 10; sent++) {
        const headers = { authorization: `Bearer ${token}` };
        const { statusCode, body } = await request(`${balancer.url}/contacts`, { headers, reset: true });
        await body.dump();
        statuses.push(statusCode);
      }
      return statuses;
    };
    // A gateway that waits too long for a busy machine counts alone for a moment.
    await expect
      .poll(answered, { timeout: 60_000 })
      .toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429, 429]);
    const served = () => gateways.map(({ served }) => served());
    await expect.poll(() => Math.min(...served())).toBeGreaterThanOrEqual(5);
  });
});
