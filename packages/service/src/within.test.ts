import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { remoteService } from '@crm/client';
import { id, internal, notFound } from '@crm/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { linkedPeers, peer, within } from './index.ts';

const unavailable = { name: 'Unavailable' };

describe('a call with a time limit', () => {
  it('returns the result or the error of the peer', async () => {
    expect(await within(1_000, async () => 'here')).toBe('here');
    const refused = within(1_000, async () => {
      throw notFound();
    });
    await expect(refused).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('ends when the time is over, even if the call ignores the signal', async () => {
    let received: AbortSignal | undefined;
    const silent = within(20, (signal) => {
      received = signal;
      return new Promise(() => undefined);
    });
    await expect(silent).rejects.toMatchObject(unavailable);
    expect(received?.aborted).toBe(true);
  });

  it('does not end the process if it fails later', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(within(20, () => promise)).rejects.toMatchObject(unavailable);
    reject(new Error('Too late.'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('aborts its request to a service in another process', async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const answered = ['{"result":{"data":{}}}'];
    const server = createServer((_request, response) => {
      const body = answered.pop();
      if (body === undefined) response.once('close', resolve);
      else response.setHeader('content-type', 'application/json').end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const remote = remoteService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => remote.close());
    const contract = {
      things: {
        get: internal({
          kind: 'query',
          for: 'system',
          callers: ['scheduling'],
          summary: 'Get',
          input: z.object({ id }),
          output: z.object({}),
        }),
      },
    };
    const peers = {
      ...linkedPeers({ things: remote.call }, 'scheduling'),
      asSystem: async () => ({ token: 'a token' }),
    };
    const { things } = peer('things', contract).asSystem({ peers, requestId: 'asked' });
    // Loads the HTTP client, which may take longer than the time limit.
    await things.get({ id: 1 });
    await expect(within(100, (signal) => things.get({ id: 1 }, { signal }))).rejects.toMatchObject(
      unavailable,
    );
    await aborted;
  });
});
