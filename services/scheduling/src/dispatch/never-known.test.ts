import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
afterEach(() => under.carrier.behave(undefined));
const { service, carrier, due } = under;
/** A typical provider: it accepts a repeated message twice. */
const send = under.instance(false);

/** An instance with another carrier. */
const instanceAt = (url: string) =>
  under.instanceWith({ ...under.settings.delivery.carrier, url, honoursKeys: false });

/** A carrier that lists one call, made at a moment. */
async function listing(at: string) {
  const calls = [{ sid: 'CA1', status: 'completed', date_created: new Date(at).toUTCString() }];
  const server = createServer((_request, response) => response.end(JSON.stringify({ calls })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return instanceAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Lets hours pass in which the provider is asked, and returns when the rows were sent. */
async function wait(ids: readonly number[], hours: number): Promise<string> {
  const rows = await service.rows(
    `update communications set next_attempt_at = now(), begun_at = begun_at - make_interval(hours => $2)
     where id = any($1) returning to_json(begun_at) #>> '{}' as at`,
    [ids, hours],
  );
  return String(rows[0]?.at);
}

/** The state of a row, and whether its provider is asked again. */
const stateOf = async (id: number) =>
  (
    await service.rows(
      `select dispatch_state as state, next_attempt_at < now() + interval '1 day' as is_asked
       from communications where id = $1`,
      [id],
    )
  )[0];

describe('a message that the provider may or may not have accepted', () => {
  it('is asked about for a day if the provider cannot be asked', async () => {
    const { id } = await due('Text Contact');
    carrier.behave(() => 'break before accepting');
    await send();
    const elsewhere = instanceAt('http://127.0.0.1:9');
    await wait([id], 20);
    await elsewhere.reconcile();
    expect(await stateOf(id)).toEqual({ state: 'Unknown', is_asked: true });
    await wait([id], 5);
    await elsewhere.reconcile();
    expect(await stateOf(id)).toEqual({ state: 'Unknown', is_asked: false });
  });

  it('is asked about for a day if it is one of two calls, of which the provider lists one', async () => {
    const call = await due('Call Contact');
    const to = { send_from_user_id: call.from.id, contact_id: call.to.id };
    const other = await due('Call Contact', to);
    carrier.behave(() => 'break before accepting');
    await send();
    const ids = [call.id, other.id];
    await (await listing(await wait(ids, 20))).reconcile();
    expect(await stateOf(call.id)).toEqual({ state: 'Unknown', is_asked: true });
    await (await listing(await wait(ids, 5))).reconcile();
    expect(await stateOf(call.id)).toEqual({ state: 'Unknown', is_asked: false });
  });
});
