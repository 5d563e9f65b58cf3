import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startLocalCarriers } from '../src/index.ts';

export const accountSid = 'AC0123';
const authToken = 'a-token-for-tests';
export const number = '+16045550100';

/** The local carriers, for one test. */
export async function running(callbackUrl = 'http://127.0.0.1:9/', callbacksThrough?: string) {
  const local = await startLocalCarriers({
    host: '127.0.0.1',
    smtpPort: 0,
    pagePort: 0,
    accountSid,
    authToken,
    number,
    callbackUrls: { text: callbackUrl, keyPress: callbackUrl },
    callbacksThrough,
  });
  onTestFinished(local.close);
  return local;
}

/** Calls the carrier's API. */
export async function ask(url: string, resource: string, form: Record<string, string>, headers = {}) {
  const response = await fetch(`${url}/2010-04-01/Accounts/${accountSid}/${resource}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}`, ...headers },
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as { sid: string } };
}

/**
 * A receiver of callbacks, optionally with another public URL. It responds as given, and records the callbacks and whether their
 * signatures are valid.
 */
export async function receiver(answer = '<Response/>', publicUrl?: string) {
  const received: { url: string; form: Record<string, string>; isSigned: boolean }[] = [];
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const url = `${publicUrl ?? `http://${request.headers.host}`}${request.url}`;
    const expected = createHmac('sha1', authToken).update(
      url +
        Object.entries(form)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flat()
          .join(''),
    );
    const isSigned = request.headers['x-twilio-signature'] === expected.digest('base64');
    received.push({ url, form, isSigned });
    response.setHeader('connection', 'close').end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback?a=1&b=2`, received };
}

/**
 * Sends SMTP line by line, with the user and password of the URL after the greeting, and returns the replies. The last one may be
 * "closed".
 */
export async function dialogue(smtpUrl: string, lines: readonly string[]): Promise<string[]> {
  const { hostname, port, username, password } = new URL(smtpUrl);
  const auth = `AUTH PLAIN ${btoa(`\0${username}\0${password}`)}`;
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const replies = createInterface(socket)[Symbol.asyncIterator]();
  const reply = async (): Promise<string> => {
    const { value = 'closed' } = await replies.next();
    return value[3] === '-' ? reply() : value;
  };
  const all = [await reply()];
  for (const line of lines) {
    if (all.at(-1) === 'closed') break;
    socket.write(`${line}\r\n`);
    all.push(await reply());
    if (username === '' || !line.startsWith('EHLO')) continue;
    socket.write(`${auth}\r\n`);
    const answer = await reply();
    if (!answer.startsWith('235')) all.push(answer);
  }
  return all;
}

export const mail = (id: string, ...lines: readonly string[]) => [
  'EHLO test.example',
  'MAIL FROM:<anna@example.com>',
  'RCPT TO:<ben@example.com>',
  'DATA',
  [`Message-ID: <${id}@example.com>`, 'From: Anna <anna@example.com>', ...lines, '.'].join('\r\n'),
  'QUIT',
];

/** The status of a GET request with another host name than the one it is sent to, which fetch does not allow. */
export async function statusUnder(hostname: string, url: string, path: string): Promise<number | undefined> {
  const { host, pathname, port } = new URL(url);
  const asked = get(`http://${host}${pathname}${path}`, { headers: { host: `${hostname}:${port}` } });
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}
