import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../test/serve.ts';
import { deadlineIn } from './deadline.ts';
import { remoteService } from './remote-service.ts';
import { resultText } from './wire.ts';

it('calls are refused at once while very many wait for a service that does not respond, and accepted when it does', async () => {
  const answers: (() => void)[] = [];
  const ask = await serve(({ url }, response) => {
    if (url?.endsWith('quick')) response.end(resultText('{}'));
    else answers.push(() => response.end(resultText('{}')));
  });
  const waiting = Array.from({ length: 999 }, () => ask());
  // Does not wait for them.
  expect(await ask({ procedure: 'notes.quick' })).toMatchObject({ text: '{}' });
  waiting.push(ask());
  await expect(ask()).rejects.toMatchObject({ name: 'Unavailable', retryAfter: 1 });
  const answering = setInterval(() => answers.splice(0).forEach((answer) => void answer()), 5);
  onTestFinished(() => clearInterval(answering));
  await Promise.all(waiting);
  expect(await ask()).toMatchObject({ text: '{}' });
});

it('no call tells the service that more time is left than its caller waits', async () => {
  const given: unknown[] = [];
  const ask = await serve(({ headers }, response) => {
    given.push(headers['x-time-left']);
    response.end(resultText('{}'));
  });
  await ask();
  await ask({ deadline: deadlineIn(30_000) });
  expect(given).toEqual(['10000', '10000']);
});

it('leaves no timer behind, also of calls that are refused because the service does not respond', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  // Nobody listens here.
  const { call, close } = remoteService('http://127.0.0.1:1');
  onTestFinished(close);
  const ask = () =>
    call({
      procedure: 'things.find',
      input: {},
      credential: undefined,
      requestId: 'a',
      deadline: deadlineIn(200_000),
    });
  const before = timers();
  for (let nth = 0; nth < 40; nth++) await expect(ask()).rejects.toMatchObject({ name: 'Unavailable' });
  await expect.poll(() => timers() - before).toBeLessThan(5);
});

it.each([502, 503, 504])('a %i of a proxy in front of the service is Unavailable', async (status) => {
  const ask = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end('upstream connect error');
  });
  const cause = { message: `notes.find responded with status ${status}.` };
  await expect(ask()).rejects.toMatchObject({ name: 'Unavailable', retryAfter: 1, cause });
});
