import { Agent, buildConnector, request } from 'undici';
import { outcomeOfAnswer } from './carrier-answer.ts';
import { type Account, authorizationOf, listAt, originOf, pathOf } from './carrier-api.ts';
import { candidatesIn, type Lost, type Search, searchQuery } from './find-sent.ts';
import { checkedKey } from './key.ts';
import { limited, startMs } from './limited.ts';
import { failed, type Outcome, refused, unknown } from './outcome.ts';
import { numberError, toE164 } from './phone.ts';
import { spoken } from './spoken.ts';

export interface CarrierOptions extends Account {
  /** The number that texts and calls come from, in E.164. */
  readonly number: string;
  /** Whether a request that is repeated with its Idempotency-Key is accepted only once. Not every provider guarantees that. */
  readonly honoursKeys: boolean;
  /** ISO codes of the countries whose numbers may be texted and called. */
  readonly allowedCountries: readonly string[];
}

export interface Text {
  /** Identifies the row that is sent and is the same for every attempt. */
  readonly key: string;
  readonly to: string;
  readonly text: string;
  /** How many seconds it may wait at the carrier, from 1 to 36,000; without it, the carrier's own limit applies. */
  readonly valid_seconds?: number;
  /** Where the provider reports its status. */
  readonly status_url?: string;
}

export interface PhoneCall {
  /** Identifies the row that is sent and is the same for every attempt. */
  readonly key: string;
  readonly to: string;
  /** The spoken text, which is repeated if nobody presses a requested key. */
  readonly say: string;
  /** Asks for one key press, which the provider posts to this URL. */
  readonly key_press_url?: string;
  /** Where the provider reports its status. */
  readonly status_url?: string;
}

/** Thrown only by the connector, which proves that nothing was sent. */
class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

/** Sends texts and calls through a provider with Twilio's HTTP API. */
export function openCarrier(options: CarrierOptions, timeoutMs: number) {
  const { number, honoursKeys, allowedCountries } = options;
  const agent = agentWith(timeoutMs, 65_536);
  const lister = agentWith(timeoutMs, 4_194_304);
  const authorization = authorizationOf(options);

  async function post(resource: string, key: string, to: string, form: Record<string, string>) {
    const idempotencyKey = checkedKey(key);
    const recipient = recipientOf(to, allowedCountries);
    if (recipient.error !== undefined) return refused(recipient.error);
    const { signal, end } = limited(timeoutMs);
    try {
      const { statusCode, body } = await request(originOf(options) + pathOf(options, resource), {
        method: 'POST',
        dispatcher: agent,
        headers: headersOf(authorization, idempotencyKey),
        body: new URLSearchParams({ To: recipient.number, From: number, ...form }).toString(),
        // The provider may close a kept connection just as a request is sent, which looks the same as a request that it accepted.
        // Without keys the message would be given up needlessly; with them it is sent again.
        reset: !honoursKeys,
        signal,
      });
      return await outcomeOfAnswer(statusCode, body);
    } catch (error) {
      return outcomeOfError(error);
    } finally {
      end();
    }
  }

  return {
    text: ({ key, to, text, valid_seconds, status_url }: Text): Promise<Outcome> =>
      post('Messages.json', key, to, { Body: text, ...validFor(valid_seconds), ...reportTo(status_url) }),
    call: ({ key, to, say, key_press_url, status_url }: PhoneCall): Promise<Outcome> =>
      post('Calls.json', key, to, { Twiml: spoken(say, key_press_url), ...reportTo(status_url) }),
    find: (lost: Lost) => find(lost, options, lister, timeoutMs),
    close: async () => void (await Promise.all([agent.close(), lister.close()])),
  };
}

const headersOf = (authorization: string, key: string) => ({
  authorization,
  'content-type': 'application/x-www-form-urlencoded',
  'idempotency-key': key,
});

function recipientOf(to: string, allowedCountries: readonly string[]) {
  const number = toE164(to);
  if (!number) return { error: 'This is not a phone number.' } as const;
  return { number, error: numberError(number, allowedCountries) } as const;
}

function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof Error)) throw error;
  return error instanceof NotConnected ? failed(error.message) : unknown(error.message);
}

const validFor = (seconds: number | undefined): Record<string, string> =>
  seconds === undefined ? {} : { ValidityPeriod: String(seconds) };

const reportTo = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { StatusCallback: url };

/** Asks for messages or calls that may be the lost one. */
async function find(lost: Lost, options: CarrierOptions, agent: Agent, timeoutMs: number): Promise<Search> {
  const resource = lost.digest === null ? 'Calls.json' : 'Messages.json';
  const path = pathOf(options, `${resource}?${searchQuery(lost, options.number)}`);
  try {
    return candidatesIn(await listAt(options, path, agent, timeoutMs), lost);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { is: 'unavailable', reason: error.message };
  }
}

/** No connection limit: a request that times out while it waits for a connection would look as if it had been sent. */
function agentWith(timeoutMs: number, maxResponseSize: number): Agent {
  const connector = buildConnector({ timeout: Math.min(timeoutMs / 2, startMs) });
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize,
    connect: (options, callback) =>
      connector(options, (...[error, socket]) =>
        error ? callback(new NotConnected(error.message, { cause: error }), null) : callback(null, socket),
      ),
  });
}
