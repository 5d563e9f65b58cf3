import { remoteService } from '@crm/client';
import { expect, it, onTestFinished } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

it('logs one line for each request, with its user, and the broker who acts as the user', async () => {
  const users: Record<string, object> = {
    own: { user: 7, account: 7 },
    acting: { user: 7, account: 9 },
    system: {},
  };
  const { request, lines } = await startThings({
    admit: async (token) => ({ credential: { token }, ...users[token] }),
  });
  for (const token of Object.keys(users)) await request('GET /things/1', { token });
  await expect.poll(() => lines.length).toBe(3);
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged).toMatchObject(
    Array.from({ length: 3 }, () => ({ msg: 'request', method: 'GET', route: '/things/:id', status: 200 })),
  );
  expect(logged.map(({ user, act }) => [user, act])).toEqual([
    ['user/7', undefined],
    ['user/7', 'user/9'],
    [undefined, undefined],
  ]);
});

it('says in that line why a service could not be reached', async () => {
  // Nobody listens there.
  const { call, close } = remoteService('http://127.0.0.1:1');
  onTestFinished(close);
  const { request, lines } = await startThings({ answer: call });
  expect((await request('GET /things/1')).status).toBe(503);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toMatchObject([{ level: 40, msg: 'request', status: 503, cause: { code: 'ECONNREFUSED' } }]);
});
