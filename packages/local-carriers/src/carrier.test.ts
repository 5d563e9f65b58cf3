import { describe, expect, it } from 'vitest';
import { accountSid, ask, number, receiver, running } from '../test/running.ts';

const text = { To: '+16045554572', From: number, Body: 'Hello' };
const twiml =
  '<Response><Gather action="http://127.0.0.1:9/x?a=1&amp;b=2"><Say>Tom &amp; &#60;Ann&#62;</Say></Gather></Response>';
const call = { To: '+16045554572', From: number, Twiml: twiml };

describe('the carrier', () => {
  it('accepts a text and a call in the format of Twilio', async () => {
    const { carrier } = await running();
    expect(await ask(carrier.url, 'Messages.json', text)).toMatchObject({
      status: 201,
      body: { sid: expect.stringMatching(/^SM[\da-f]{32}$/), status: 'queued', account_sid: accountSid },
    });
    expect(await ask(carrier.url, 'Calls.json', call)).toMatchObject({
      status: 201,
      body: { sid: expect.stringMatching(/^CA[\da-f]{32}$/), status: 'queued' },
    });
    expect(carrier.texts()).toMatchObject([{ from: number, to: text.To, words: 'Hello' }]);
    expect(carrier.calls()).toMatchObject([
      { words: 'Tom & <Ann>', key_press_url: 'http://127.0.0.1:9/x?a=1&b=2' },
    ]);
  });

  it('accepts a key once per channel, and returns the first message', async () => {
    const { carrier } = await running();
    const key = { 'idempotency-key': 'row/1' };
    const [first, second] = await Promise.all([1, 2].map(() => ask(carrier.url, 'Messages.json', text, key)));
    await ask(carrier.url, 'Calls.json', call, key);
    await ask(carrier.url, 'Messages.json', text);
    await ask(carrier.url, 'Messages.json', text);

    expect(second).toEqual(first);
    expect(carrier.texts()).toHaveLength(3);
    expect(carrier.received()).toEqual([
      { channel: 'text', key: 'row/1', arrivals: 2, accepted: 1 },
      { channel: 'call', key: 'row/1', arrivals: 1, accepted: 1 },
    ]);
  });

  it.each<[string, Record<string, string>, number]>([
    ['Messages.json', { ...text, To: '' }, 21604],
    ['Messages.json', { ...text, To: '604 555 4572' }, 21211],
    ['Messages.json', { ...text, From: '' }, 21603],
    ['Messages.json', { ...text, From: '+16045559999' }, 21606],
    ['Messages.json', { ...text, Body: '' }, 21602],
    ['Calls.json', { ...call, Twiml: '' }, 21205],
    ['Calls.json', { ...call, Twiml: '<Response><Say>Hello' }, 21205],
    ['Calls.json', { ...call, Twiml: '<Response><Say>Tom & Ann</Say></Response>' }, 21205],
    ['Calls.json', {}, 21604],
  ])('refuses %s with %o, with the code %i', async (resource, form, code) => {
    const { carrier } = await running();
    expect(await ask(carrier.url, resource, form)).toEqual({
      status: 400,
      body: { status: 400, code, message: expect.any(String), more_info: expect.any(String) },
    });
    expect([...carrier.texts(), ...carrier.calls()]).toEqual([]);
  });

  it.each(['Messages.json', 'Calls.json'])('requires the secret of the account: %s', async (resource) => {
    const { carrier } = await running();
    for (const authorization of ['', 'Basic x', `Basic ${btoa(`${accountSid}:x`)}`]) {
      const answer = await ask(carrier.url, resource, text, { authorization });
      expect(answer).toMatchObject({ status: 401, body: { code: 20003 } });
    }
  });

  it('refuses a body that is not a form', async () => {
    const { carrier } = await running();
    const json = { 'content-type': 'application/json' };
    expect(await ask(carrier.url, 'Messages.json', text, json)).toMatchObject({ status: 415 });
  });

  it('closes even if a request has no response yet', async () => {
    const { carrier, close } = await running();
    carrier.behave(() => 'hang after accepting');
    const asked = ask(carrier.url, 'Messages.json', text).catch((error: Error) => error);
    await expect.poll(() => carrier.texts()).toHaveLength(1);
    await close();
    expect(await asked).toBeInstanceOf(Error);
  });
});

describe('a callback', () => {
  it('is a signed text, from any number', async () => {
    const { url, received } = await receiver();
    const { carrier } = await running(url);
    expect(await carrier.reply('+16045554572', 'Stop & go')).toEqual({ status: 200, body: '<Response/>' });
    expect(received).toMatchObject([
      {
        url,
        isSigned: true,
        form: { MessageSid: expect.any(String), From: '+16045554572', To: number, Body: 'Stop & go' },
      },
    ]);
  });

  it('is posted to a given address, signed for the public one', async () => {
    const publicUrl = 'https://crm.example.com';
    const { url, received } = await receiver('<Response/>', publicUrl);
    const { origin, pathname, search } = new URL(url);
    const { carrier } = await running(`${publicUrl}${pathname}${search}`, origin);
    expect((await carrier.reply('+16045554572', 'Yes')).status).toBe(200);
    expect(received).toMatchObject([{ url: `${publicUrl}${pathname}${search}`, isSigned: true }]);
  });

  it('is a signed key press, to the URL of the call or of the account', async () => {
    const { url, received } = await receiver('<Response><Say>It is yours.</Say></Response>');
    const { carrier } = await running(`${url}&fallback`);
    const action = url.replaceAll('&', '&amp;');
    const gather = (attributes: string) =>
      `<Response><Gather ${attributes}><Say>Hi</Say></Gather></Response>`;
    const { body: named } = await ask(carrier.url, 'Calls.json', {
      ...call,
      Twiml: gather(`action="${action}"`),
    });
    const { body: unnamed } = await ask(carrier.url, 'Calls.json', { ...call, Twiml: gather('') });

    expect(await carrier.press(named.sid, '1')).toMatchObject({
      body: expect.stringContaining('It is yours.'),
    });
    await carrier.press(unnamed.sid, '2');
    expect(received).toMatchObject([
      { url, isSigned: true, form: { CallSid: named.sid, From: number, To: call.To, Digits: '1' } },
      { url: `${url}&fallback`, isSigned: true, form: { CallSid: unnamed.sid, Digits: '2' } },
    ]);
  });

  it('cannot be a key press of a call that does not ask for one', async () => {
    const { carrier } = await running();
    const Twiml = '<Response><Say>Hello</Say></Response>';
    const { body } = await ask(carrier.url, 'Calls.json', { ...call, Twiml });
    await expect(async () => carrier.press(body.sid, '1')).rejects.toThrow('does not ask for a key');
  });
});
