import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../test/serve.ts';
import { resultText } from './wire.ts';

it('calls are refused at once while very many wait for a service that does not respond, and accepted when it does', async () => {
  const answers: (() => void)[] = [];
  const ask = await serve((_request, response) => {
    answers.push(() => response.end(resultText('{}')));
  });
  const waiting = Array.from({ length: 1_000 }, () => ask());
  await expect(ask()).rejects.toMatchObject({ name: 'Unavailable', retryAfter: 1 });
  const answering = setInterval(() => answers.splice(0).forEach((answer) => void answer()), 5);
  onTestFinished(() => clearInterval(answering));
  await Promise.all(waiting);
  expect(await ask()).toMatchObject({ text: '{}' });
});
