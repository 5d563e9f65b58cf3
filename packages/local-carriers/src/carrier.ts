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
  /** 0 for any that is free. */
  readonly port: number;
}

export interface Carrier {
  readonly url: string;
  /** Oldest first, each key once. */
  texts(): readonly Sent[];
  calls(): readonly Sent[];
  /** What came back, by a text or a key. */
  answered(): readonly Answered[];
  /** Texts to the account's number, as somebody with the number `from`. */
  reply(from: string, text: string): Promise<CallbackAnswer>;
  /** Presses a key in a call; answers with what the receiver of the callback has said next. */
  press(callSid: string, digit: string): Promise<CallbackAnswer>;
  behave(hook: Hook | undefined): void;
  received(): readonly Received[];
  close(): Promise<void>;
}

/** A provider of texts and calls that reaches nobody, and speaks the HTTP API of Twilio. */
export async function startCarrier(options: CarrierOptions): Promise<Carrier> {
  const { app, book } = carrierApp(options);
  return listen(app, book, options);
}

export function carrierApp(account: Account) {
  // Connections are ended with the server, also those that were left without an answer.
  const app = fastify({ forceCloseConnections: true, bodyLimit: 65_536 });
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
    close: () => app.close(),
  };
}
