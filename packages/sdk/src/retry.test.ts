import { expect, it } from 'vitest';
import { CrmError, UnreachableError } from './crm-error.ts';
import { wait, waitBeforeRepeat } from './retry.ts';

const refused = (status: number, retryAfter?: number) =>
  new CrmError({ status, retryAfter, requestId: undefined });
const unreachable = new UnreachableError(new Error('reset'), undefined);
const waits = (error: unknown, failures: number, random = 1) =>
  waitBeforeRepeat(error, failures, { maxRetries: 3, random: () => random });

it.each([
  ['no response', unreachable, true],
  ['too many requests', refused(429), true],
  ['a service that is unavailable', refused(503, 1), true],
  ['a proxy that is', refused(502), true],
  ['a first request that is still running', refused(409, 1), true],
  ['a conflict with something else', refused(409), false],
  ['a fault', refused(500), false],
  ['invalid fields', refused(400), false],
  ['a missing record', refused(404), false],
  ['an hour that it should wait', refused(503, 3_600), false],
  ['an error that is none of the API', new TypeError('bug'), false],
])('a request is repeated three times or never, after %s', (_, error, isRepeated) => {
  const all = [1, 2, 3, 4].map((failures) => waits(error, failures) !== undefined);
  expect(all).toEqual(isRepeated ? [true, true, true, false] : [false, false, false, false]);
});

it('the delay before a retry increases, is partly random, and is never shorter than Retry-After', () => {
  expect([1, 2, 3].map((failures) => waits(unreachable, failures))).toEqual([500, 1_000, 2_000]);
  expect(waits(unreachable, 1, 0)).toBe(250);
  expect([0, 1].map((random) => waits(refused(429, 7), 1, random))).toEqual([7_000, 7_000]);
});

it('the delay before a retry ends when the caller aborts', async () => {
  const reason = new Error('enough');
  const waiting = wait(60_000, AbortSignal.abort(reason));
  await expect(waiting).rejects.toBe(reason);
  const controller = new AbortController();
  const later = wait(60_000, controller.signal);
  controller.abort(reason);
  await expect(later).rejects.toBe(reason);
  await wait(0, new AbortController().signal);
});
