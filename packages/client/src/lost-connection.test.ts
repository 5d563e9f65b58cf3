import { expect, it } from 'vitest';
import { serve } from '../test/serve.ts';
import { deadlineIn } from './deadline.ts';
import { resultText } from './wire.ts';

const unavailable = { name: 'Unavailable', retryAfter: expect.any(Number) };

/** A service that closes as many connections as soon as it has received a request over each, as one that ends does. */
async function endingService(closes: number) {
  let received = 0;
  const ask = await serve((request, response) => {
    received += 1;
    if (received <= closes) request.socket.destroy();
    else response.end(resultText('{}'));
  });
  return { ask, received: () => received };
}

it.each([
  ['reads', { mayRepeat: true }],
  ['has an Idempotency-Key', { idempotencyKey: 'key' }],
  ['is a dry run', { dryRun: true }],
])('a call that %s is sent again when its connection is lost', async (_which, call) => {
  const { ask, received } = await endingService(2);
  expect(await ask({ ...call, deadline: deadlineIn(10_000) })).toMatchObject({ text: '{}' });
  expect(received()).toBe(3);
});

it('a call that could take effect twice is not sent again', async () => {
  const { ask, received } = await endingService(1);
  await expect(ask()).rejects.toMatchObject(unavailable);
  expect(received()).toBe(1);
});

it('a call whose connections are all lost is given up', async () => {
  const { ask, received } = await endingService(Number.POSITIVE_INFINITY);
  await expect(ask({ mayRepeat: true })).rejects.toMatchObject(unavailable);
  expect(received()).toBe(3);
});
