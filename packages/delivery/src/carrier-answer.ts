import { z } from 'zod';
import { failed, type Outcome, refused, sent, unknown } from './outcome.ts';

const Accepted = z.object({ sid: z.string().regex(/^\w{1,64}$/) });
const ValidationError = z.object({ message: z.string().max(2_000) });

/** A gateway in front of the provider answers these when it has passed the request on and heard nothing good. */
const saysNothingOfProvider = [502, 504];
/** Too slow, too fast, or our own credentials: nothing about the message itself, which waits until that is mended. */
const worthRepeating = [401, 403, 408, 429];

/** What an answer of the provider means. Nothing in it is believed before it has been read. */
export async function outcomeOfAnswer(status: number, body: { text(): Promise<string> }): Promise<Outcome> {
  const text = await body.text().catch(() => '');
  if (status >= 200 && status < 300) {
    const accepted = Accepted.safeParse(parsed(text));
    return accepted.success
      ? sent(accepted.data.sid)
      : unknown(`The provider answered ${status} without naming the message.`);
  }
  const error = ValidationError.safeParse(parsed(text));
  const reason = `The provider answered ${status}${error.success ? `: ${error.data.message}` : '.'}`;
  if (saysNothingOfProvider.includes(status)) return unknown(reason);
  return status >= 400 && status < 500 && !worthRepeating.includes(status) ? refused(reason) : failed(reason);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
