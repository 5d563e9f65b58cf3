import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openDispatch } from '@crm/dispatch';
import { sendDue } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { publicUrl } from '../../test/harness.ts';

const under = await dispatchUnderTest();
afterAll(under.close);

/** A provider that accepts everything, with the forms that were posted to it. */
async function provider() {
  const forms: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    forms.push(new URLSearchParams(await text(request)));
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, forms };
}

describe.each(['Text Contact', 'Call Contact'] as const)('a %s that is sent', (type) => {
  async function statusUrlFrom(ownUrl: string) {
    const { url, forms } = await provider();
    const { key, now } = await under.due(type);
    const { delivery } = under.settings;
    const carrier = { ...delivery.carrier, url };
    const dispatch = openDispatch(
      under.queue,
      { ...delivery, carrier, publicUrl: ownUrl },
      under.workerContext,
    );
    onTestFinished(dispatch.close);
    await sendDue(dispatch, under.plenty);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
    expect(forms).toHaveLength(1);
    return { key, statusUrl: forms[0]?.get('StatusCallback') };
  }

  it('makes the provider report its status, under its own key', async () => {
    const { key, statusUrl } = await statusUrlFrom(publicUrl);
    expect(statusUrl).toBe(`${publicUrl}/callbacks/statuses/${key}`);
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'requests no report at %s, where no provider reaches this system',
    async (ownUrl) => {
      expect(await statusUrlFrom(ownUrl)).toMatchObject({ statusUrl: null });
    },
  );
});
