import { describe, expect, it } from 'vitest';
import { ask, dialogue, mail, number, receiver, running, statusUnder } from '../../test/running.ts';

const hostile = `<script>alert('x')</script>"><img src=x onerror=y>&amp;`;
const text = { To: '+16045554572', From: number, Body: 'Hello' };
const twiml = (url: string) =>
  `<Response><Gather action="${url.replaceAll('&', '&amp;')}"><Say>Press</Say></Gather></Response>`;

describe('the page', () => {
  it('shows what was sent, newest first', async () => {
    const { mail: catcher, carrier, pageUrl } = await running();
    await dialogue(catcher.url, mail('a', 'Subject: The oldest', '', 'Hello'));
    await ask(carrier.url, 'Messages.json', { ...text, Body: 'In between' });
    await ask(carrier.url, 'Calls.json', { ...text, Twiml: '<Response><Say>The newest</Say></Response>' });

    const page = await (await fetch(pageUrl)).text();
    const positions = ['The newest', 'In between', 'The oldest'].map((words) => page.indexOf(words));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  it('shows where replies to an e-mail go, if not to its sender', async () => {
    const { mail: catcher, pageUrl } = await running();
    await dialogue(catcher.url, mail('a', 'Subject: Hello', '', 'Hello'));
    await dialogue(catcher.url, mail('b', 'Reply-To: Ada <ada@example.com>', '', 'Hello'));
    const page = await (await fetch(pageUrl)).text();
    expect(page.match(/replies go to [^<]*/g)).toEqual(['replies go to Ada &lt;ada@example.com&gt;']);
  });

  it('runs nothing that was sent', async () => {
    const { mail: catcher, carrier, pageUrl } = await running();
    await dialogue(catcher.url, mail('a', `Subject: ${hostile}`, '', hostile));
    await ask(carrier.url, 'Messages.json', { ...text, Body: hostile });

    const response = await fetch(pageUrl);
    const page = await response.text();
    expect(page.match(/&lt;script&gt;alert/g)).toHaveLength(3);
    expect(page).not.toMatch(/<script|<img|onerror=y>/);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/script-src|unsafe/);
  });

  it('makes a link of the URL in a text, and of nothing else', async () => {
    const { carrier, pageUrl } = await running();
    await ask(carrier.url, 'Messages.json', {
      ...text,
      Body: 'Claim: https://crm.example/?a=1&b="x javascript:y',
    });
    const page = await (await fetch(pageUrl)).text();
    expect(page).toContain('<a href="https://crm.example/?a=1&amp;b=" rel="noreferrer">');
    expect(page).not.toContain('href="javascript');
  });

  it('shows the HTML of an e-mail in a sandbox', async () => {
    const { mail: catcher, pageUrl } = await running();
    await dialogue(catcher.url, mail('a', 'Content-Type: text/html', '', `<b>${hostile}</b>`));
    const page = await (await fetch(pageUrl)).text();
    expect(page).toMatch(/<iframe sandbox loading/);
    expect(page).not.toContain('<b>');

    const id = (await catcher.mails())[0]?.id;
    const body = await fetch(new URL(`emails/${id}/html`, pageUrl));
    expect(await body.text()).toContain(`<b>${hostile}</b>`);
    expect(body.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(body.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(new URL('emails/none/html', pageUrl))).status).toBe(404);
  });

  it('refreshes automatically only on request, so that a reply can be written', async () => {
    const { pageUrl } = await running();
    expect(await (await fetch(pageUrl)).text()).not.toContain('http-equiv="refresh"');
    expect(await (await fetch(`${pageUrl}?refresh=1`)).text()).toContain('http-equiv="refresh" content="5"');
  });

  it('offers everything as JSON', async () => {
    const { mail: catcher, carrier, pageUrl } = await running();
    await dialogue(catcher.url, mail('a', 'Subject: Hello', '', hostile));
    await ask(carrier.url, 'Messages.json', text);
    expect(await (await fetch(new URL('messages.json', pageUrl))).json()).toMatchObject({
      emails: [{ subject: 'Hello', text: `${hostile}\n`, deliveries: 1 }],
      sent: [{ channel: 'text', words: 'Hello' }],
      answered: [],
    });
  });

  it('is not shown under another host name', async () => {
    const { pageUrl, carrier } = await running();
    const { status } = await ask(carrier.url, 'Messages.json', text);
    expect(status).toBe(201);
    for (const path of ['', 'messages.json'])
      expect(await statusUnder('evil.example', pageUrl, path)).toBe(403);
    expect(await statusUnder('localhost', pageUrl, '')).toBe(200);
  });
});

it('nobody can read or reply to messages without the URL of the page', async () => {
  const { carrier, pageUrl } = await running();
  const { body } = await ask(carrier.url, 'Messages.json', { ...text, Body: 'A secret' });
  const { origin, pathname } = new URL(pageUrl);
  expect(pathname).toMatch(/^\/[\w-]{24}\/$/);
  for (const path of ['/', '/messages.json', `/${'x'.repeat(24)}/`, `/texts/${body.sid}/reply`]) {
    const response = await fetch(`${origin}${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toMatch(new RegExp(`A secret|${pathname}`));
  }
});

describe('the forms of the page', () => {
  const own = { 'sec-fetch-site': 'same-origin' };
  const post = (url: string, path: string, form: Record<string, string>, headers: Record<string, string>) =>
    fetch(new URL(path, url), {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
      redirect: 'manual',
    });

  it('reply to a text, and show the reply', async () => {
    const { url, received } = await receiver();
    const { carrier, pageUrl } = await running(url);
    const { body } = await ask(carrier.url, 'Messages.json', text);

    const response = await post(pageUrl, `texts/${body.sid}/reply`, { text: 'STOP' }, own);
    expect([response.status, response.headers.get('location')]).toEqual([303, new URL(pageUrl).pathname]);
    expect(received).toMatchObject([{ isSigned: true, form: { From: text.To, To: number, Body: 'STOP' } }]);
    expect(await (await fetch(pageUrl)).text()).toContain('<pre>STOP</pre>');
  });

  it('press a key in a call', async () => {
    const { url, received } = await receiver();
    const { carrier, pageUrl } = await running();
    const { body } = await ask(carrier.url, 'Calls.json', { ...text, Twiml: twiml(url) });

    expect((await post(pageUrl, `calls/${body.sid}/press`, { digit: '#' }, own)).status).toBe(303);
    expect(received).toMatchObject([{ isSigned: true, form: { CallSid: body.sid, Digits: '#' } }]);
    expect((await post(pageUrl, `calls/${body.sid}/press`, { digit: 'x' }, own)).status).toBe(404);
    expect((await post(pageUrl, 'calls/none/press', { digit: '1' }, own)).status).toBe(404);
  });

  it('report a callback that fails', async () => {
    const { carrier, pageUrl } = await running();
    const { body } = await ask(carrier.url, 'Messages.json', text);
    const response = await post(pageUrl, `texts/${body.sid}/reply`, { text: 'Yes' }, own);
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringContaining('callback failed'),
    ]);
  });

  it.each([
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
  ])('are accepted only from this page, not with %o', async (headers) => {
    const { url, received } = await receiver();
    const { carrier, pageUrl } = await running(url);
    const { body } = await ask(carrier.url, 'Messages.json', text);
    const response = await post(pageUrl, `texts/${body.sid}/reply`, { text: 'x' }, headers as typeof own);
    expect(response.status).toBe(403);
    expect(received).toEqual([]);
  });

  it('are accepted from a browser that sends only its origin', async () => {
    const { url } = await receiver();
    const { carrier, pageUrl } = await running(url);
    const { body } = await ask(carrier.url, 'Messages.json', text);
    const headers = { origin: new URL(pageUrl).origin };
    expect((await post(pageUrl, `texts/${body.sid}/reply`, { text: 'x' }, headers)).status).toBe(303);
  });
});
