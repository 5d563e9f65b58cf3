import type { Call, CallService } from '@crm/client';
import { tokenInvalid, unavailable, unknownProcedure } from '@crm/contract';
import { describe, expect, it } from 'vitest';
import { withServiceToken } from './with-service-token.ts';

interface TokenRequest {
  readonly token: string;
}

const admitted = ({ token }: TokenRequest) => ({
  internal_token: `of ${token}`,
  user_id: 7,
  account_id: 7,
  rights: '1',
});

/** An identity service for which `bad` is an invalid token. Its first response waits for `waitsFor`. */
function identityThat(waitsFor: Promise<unknown>, knows: readonly string[], refusal = unknownProcedure) {
  const calls: Call[] = [];
  const call: CallService = async (call) => {
    calls.push(call);
    if (calls.length === 1) await waitsFor;
    if (!knows.includes(call.procedure)) throw refusal();
    return { text: JSON.stringify(answerTo(call)), replayed: false };
  };
  return { calls, call };
}

function answerTo({ procedure, input }: Call): unknown {
  if (procedure === 'actors.lend') return { internal_token: 'of the gateway' };
  const { requests = [input as TokenRequest] } = input as { requests?: readonly TokenRequest[] };
  const answers = requests.map((asked) => (asked.token === 'bad' ? null : admitted(asked)));
  if (procedure === 'actors.admitTogether') return answers;
  if (answers[0] === null) throw tokenInvalid();
  return answers[0];
}

const all = ['actors.admit', 'actors.admitTogether', 'actors.lend'];

/** Sends tokens while that of an earlier request is being admitted, and returns the result of each. */
async function admitBehind(
  tokens: readonly string[],
  knows: readonly string[] = all,
  refusal = unknownProcedure,
) {
  const first = Promise.withResolvers<void>();
  const { call, calls } = identityThat(first.promise, knows, refusal);
  const { admit } = withServiceToken(call, 'crm_sv_gateway');
  const from = (requestId: string) => ({ requestId, address: '127.0.0.1' });
  const before = admit('first', 'contacts', from('0'));
  await expect.poll(() => calls.length).toBe(1);
  const later = Promise.allSettled(tokens.map((token, at) => admit(token, 'contacts', from(String(at + 1)))));
  await new Promise(setImmediate);
  const whileWaiting = calls.length;
  first.resolve();
  const outcomes = (await later).map((one) =>
    one.status === 'fulfilled' ? one.value.credential?.token : (one.reason as Error).name,
  );
  return { before: (await before).credential?.token, outcomes, whileWaiting, calls };
}

describe('a gateway in a separate process', () => {
  it('asks immediately for a request, and in one call for all that arrive meanwhile', async () => {
    const { before, outcomes, whileWaiting, calls } = await admitBehind(['one', 'two', 'three']);
    expect(before).toBe('of first');
    expect(outcomes).toEqual(['of one', 'of two', 'of three']);
    expect(whileWaiting).toBe(1);
    expect(calls.map(({ procedure }) => procedure)).toEqual(['actors.admit', 'actors.admitTogether']);
  });

  it('refuses only the request whose token is invalid', async () => {
    const { outcomes } = await admitBehind(['one', 'bad', 'three']);
    expect(outcomes).toEqual(['of one', 'NotAuthenticated', 'of three']);
  });

  it('asks for each separately if identity does not support asking for several', async () => {
    const { outcomes } = await admitBehind(['one', 'bad', 'three'], ['actors.admit', 'actors.lend']);
    expect(outcomes).toEqual(['of one', 'NotAuthenticated', 'of three']);
  });

  it('does not ask again for each if identity is unavailable', async () => {
    const { outcomes, calls } = await admitBehind(['one', 'two', 'three'], ['actors.admit'], unavailable);
    expect(outcomes).toEqual(['Unavailable', 'Unavailable', 'Unavailable']);
    expect(calls.map(({ procedure }) => procedure)).toEqual(['actors.admit', 'actors.admitTogether']);
  });

  it('does not wait for an instance of identity that does not respond', async () => {
    const { call, calls } = identityThat(new Promise(() => undefined), all);
    const { admit } = withServiceToken(call, 'crm_sv_gateway');
    const from = { requestId: '1', address: '127.0.0.1' };
    void admit('silent', 'contacts', from);
    await expect.poll(() => calls.length).toBe(1);
    expect((await admit('one', 'contacts', from)).credential?.token).toBe('of one');
  });
});
