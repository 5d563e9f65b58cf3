import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account, CarrierBook, Incoming, Sent } from './carrier-book.ts';
import { formOf } from './form.ts';
import { readTwiml } from './twiml.ts';

type AccountRequest = FastifyRequest<{ Params: { account: string } }>;

/**
 * Lists the messages or calls to a number from a day on. The end date of the query is ignored, because nothing here is scheduled.
 */
function serveList(
  app: FastifyInstance,
  book: CarrierBook,
  account: Account,
  channel: Sent['channel'],
): void {
  const [file, name, day] =
    channel === 'text' ? ['Messages.json', 'messages', 'DateSent'] : ['Calls.json', 'calls', 'StartTime'];
  app.get(`/2010-04-01/Accounts/:account/${file}`, (request: AccountRequest, reply) => {
    if (!isAuthorized(request, account)) return refuse(reply, 401, 20003, 'Authenticate');
    const { To: to, [`${day}>`]: firstDay } = request.query as Readonly<Record<string, string>>;
    const from = firstDay === undefined ? Number.NEGATIVE_INFINITY : Date.parse(firstDay);
    const sent = book.sent().filter((one) => one.channel === channel && one.to === to);
    const incoming = channel === 'text' && to === account.number ? book.incoming() : [];
    const all = [
      ...sent.map((one) => resourceOf(one, account)),
      ...incoming.map((one) => incomingResource(one, account)),
    ];
    const listed = all.filter(({ date_created }) => Date.parse(date_created) >= from);
    return { [name]: listed.toReversed(), next_page_uri: null };
  });
}

const incomingResource = ({ sid, from, words, received_at }: Incoming, { accountSid, number }: Account) => ({
  sid,
  account_sid: accountSid,
  status: 'received',
  direction: 'inbound',
  from,
  to: number,
  body: words,
  date_created: received_at.toUTCString(),
});

/** The two resources of Twilio's HTTP API that we use, with their errors. */
export function serveCarrierApi(app: FastifyInstance, book: CarrierBook, account: Account): void {
  const receive = receiverOf(book, account);
  serveList(app, book, account, 'text');
  serveList(app, book, account, 'call');
  app.post('/2010-04-01/Accounts/:account/Messages.json', (request: AccountRequest, reply) => {
    if (!isAuthorized(request, account)) return refuse(reply, 401, 20003, 'Authenticate');
    const form = formOf(request);
    const words = form.get('Body');
    const fault =
      faultOf(form, account) ?? (words ? undefined : ([21602, 'Message body is required.'] as const));
    if (fault) return refuse(reply, 400, ...fault);
    const valid = form.get('ValidityPeriod');
    const limit = valid === null ? {} : { valid_seconds: Number(valid) };
    return receive(request, reply, {
      channel: 'text',
      words: words ?? '',
      key_press_url: undefined,
      ...limit,
    });
  });

  app.post('/2010-04-01/Accounts/:account/Calls.json', (request: AccountRequest, reply) => {
    if (!isAuthorized(request, account)) return refuse(reply, 401, 20003, 'Authenticate');
    const form = formOf(request);
    const fault = faultOf(form, account);
    if (fault) return refuse(reply, 400, ...fault);
    const twiml = readTwiml(form.get('Twiml') ?? '');
    if (!twiml) return refuse(reply, 400, 21205, "'Twiml' is required and must be a <Response>.");
    return receive(request, reply, { channel: 'call', words: twiml.say, key_press_url: twiml.keyPressUrl });
  });
}

type MessageContents = Pick<Sent, 'channel' | 'words' | 'key_press_url' | 'valid_seconds'>;

/** Passes messages to the book and responds with its result. */
const receiverOf =
  (book: CarrierBook, account: Account) =>
  (request: AccountRequest, reply: FastifyReply, contents: MessageContents) => {
    const form = formOf(request);
    const key = request.headers['idempotency-key'];
    const { behaviour, message } = book.receive({
      ...contents,
      key: typeof key === 'string' ? key : undefined,
      from: form.get('From') ?? '',
      to: form.get('To') ?? '',
    });
    if (behaviour === 'accept') return reply.code(201).send(message && resourceOf(message, account));
    if (typeof behaviour === 'object') {
      const { answer: status, body } = behaviour;
      if (body === undefined) return refuse(reply, status, 20500, 'Requested by a test');
      return reply.code(status).type('application/json').send(body);
    }
    reply.hijack();
    if (behaviour.startsWith('break')) request.raw.socket.destroy();
    return reply;
  };

function isAuthorized(request: AccountRequest, { accountSid, authToken }: Account): boolean {
  const expected = `Basic ${btoa(`${accountSid}:${authToken}`)}`;
  return request.headers.authorization === expected && request.params.account === accountSid;
}

function faultOf(form: URLSearchParams, { number }: Account): readonly [number, string] | undefined {
  const [from, to] = [form.get('From'), form.get('To')];
  if (!to) return [21604, "A 'To' phone number is required."];
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return [21211, `The 'To' number ${to} is not a valid phone number.`];
  if (!from) return [21603, "A 'From' phone number is required."];
  if (from !== number) return [21606, `The 'From' phone number ${from} does not belong to this account.`];
  return undefined;
}

function refuse(reply: FastifyReply, status: number, code: number, message: string) {
  if (status === 401) reply.header('www-authenticate', 'Basic realm="Twilio API"');
  return reply
    .code(status)
    .send({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

function resourceOf({ channel, sid, from, to, words, received_at }: Sent, { accountSid }: Account) {
  return {
    sid,
    account_sid: accountSid,
    status: 'queued',
    direction: 'outbound-api',
    from,
    to,
    ...(channel === 'text' && { body: words }),
    date_created: received_at.toUTCString(),
  };
}
