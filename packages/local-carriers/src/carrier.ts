import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Hook } from './behaviour.ts';
import { serveCarrierApi } from './carrier-api.ts';
import { type Account, type Answered, type CarrierBook, openCarrierBook, type Sent } from './carrier-book.ts';
import { readForms } from './form.ts';
import type { Received } from './ledger.ts';
import type { CallbackAnswer } from './post-callback.ts';

export interface CarrierOptions extends Account {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface Carrier {
  readonly url: string;
  /** Oldest first, each key once. */
  texts(): readonly Sent[];
  calls(): readonly Sent[];
  /** Replies and key presses, oldest first. */
  answered(): readonly Answered[];
  /** Texts the account's number, as the owner of the number `from`. */
  reply(from: string, text: string, at?: Date): Promise<CallbackAnswer>;
  /** Presses a key in a call, and returns the response to the callback. */
  press(callSid: string, digit: string): Promise<CallbackAnswer>;
  behave(hook: Hook | undefined): void;
  received(): readonly Received[];
  /** Stops listing incoming texts. */
  forgetIncoming(): void;
  close(): Promise<void>;
}

/** A provider of texts and calls with Twilio's HTTP API that reaches nobody. */
export async function startCarrier(options: CarrierOptions): Promise<Carrier> {
  const { app, book } = carrierApp(options);
  return listen(app, book, options);
}

function refuseSchemas(): never {
  throw new Error('Routes of the carrier must not use Fastify schemas.');
}

export function carrierApp(account: Account) {
  // Closes the server's connections when it stops, even those without a response.
  const app = fastify({
    // Its routes use no schemas, so Fastify need not load a compiler for them.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    forceCloseConnections: true,
    bodyLimit: 65_536,
    http: { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 },
  });
  readForms(app);
  const book = openCarrierBook(account);
  serveCarrierApi(app, book, account);
  return { app, book };
}

export async function listen(
  app: FastifyInstance,
  book: CarrierBook,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Carrier> {
  await app.listen({ host, port });
  const { port: actual } = app.server.address() as AddressInfo;
  return {
    url: `http://${host}:${actual}`,
    texts: () => book.sent().filter(({ channel }) => channel === 'text'),
    calls: () => book.sent().filter(({ channel }) => channel === 'call'),
    answered: book.answered,
    reply: book.reply,
    press: book.press,
    behave: book.behave,
    received: book.received,
    forgetIncoming: book.forgetIncoming,
    close: () => app.close(),
  };
}
