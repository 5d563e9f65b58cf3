import { randomUUID } from 'node:crypto';
import { type Arrival, accepts, type Behaviour, behaviours } from './behaviour.ts';
import { keep, openLedger } from './ledger.ts';
import { type CallbackAnswer, postCallback } from './post-callback.ts';

export interface CallbackUrls {
  /** Where incoming texts are posted. */
  readonly text: string;
  /** Where key presses are posted for calls that do not name a URL. */
  readonly keyPress: string;
}

export interface Account {
  readonly accountSid: string;
  readonly authToken: string;
  /** The number of the account, in E.164. */
  readonly number: string;
  /** Read for each callback, so that they can be set once the receiver has its port. */
  readonly callbackUrls: CallbackUrls;
  /** Where callbacks are sent instead of the public URL, if that cannot be reached from here. */
  readonly callbacksThrough?: string | undefined;
  /** How many messages, keys and callbacks are kept in memory (default 10,000 each). */
  readonly kept?: number;
}

/** A text or call that the carrier accepted. */
export interface Sent {
  readonly channel: 'text' | 'call';
  readonly sid: string;
  readonly key: string | undefined;
  readonly from: string;
  readonly to: string;
  /** The text, or what the call says. */
  readonly words: string;
  /** Where the key is posted, for a call that asks for one. */
  readonly key_press_url: string | undefined;
  /** For how long a text may wait, if that is limited. Here none waits. */
  readonly valid_seconds?: number;
  readonly received_at: Date;
}

/** A reply or a key press, with the response to its callback. */
export interface Answered extends CallbackAnswer {
  readonly channel: 'reply' | 'key press';
  readonly id: string;
  readonly from: string;
  readonly words: string;
  readonly received_at: Date;
}

/** An incoming text, whether or not its callback was received. */
export interface Incoming {
  readonly sid: string;
  readonly from: string;
  readonly words: string;
  readonly received_at: Date;
}

type SendRequest = Omit<Sent, 'sid' | 'received_at'>;
type Action = Omit<Answered, 'id' | 'received_at' | keyof CallbackAnswer>;

/** The messages that the carrier accepted. */
function openMessages(kept?: number) {
  const sent = new Map<string, Sent>();
  const byKey = new Map<string, Sent>();
  const ledger = openLedger(kept);
  const { behave, of } = behaviours();

  function accept(request: SendRequest): Sent {
    const message: Sent = { ...request, sid: newSid(prefixes[request.channel]), received_at: new Date() };
    keep(sent, message.sid, message, kept);
    if (request.key !== undefined) keep(byKey, `${request.channel} ${request.key}`, message, kept);
    return message;
  }

  return {
    behave,
    received: ledger.received,
    sent: () => [...sent.values()],
    find: (sid: string) => sent.get(sid),

    /** Accepts a message, or returns the first one with the same key. */
    receive(request: SendRequest): { behaviour: Behaviour; message: Sent | undefined } {
      const arrival: Arrival = { channel: request.channel, key: request.key, to: request.to };
      const behaviour = of(arrival);
      const first = byKey.get(`${request.channel} ${request.key}`);
      ledger.count(arrival, accepts(behaviour) && !first);
      return { behaviour, message: accepts(behaviour) ? (first ?? accept(request)) : undefined };
    },
  };
}

/** What the carrier stores and does, independently of its protocol. */
export function openCarrierBook(account: Account) {
  const { accountSid, authToken, number, callbackUrls, kept, callbacksThrough: through } = account;
  const messages = openMessages(kept);
  const answered = new Map<string, Answered>();
  const incoming = new Map<string, Incoming>();

  async function callBack(url: string, form: Record<string, string>, action: Action) {
    const answer = await postCallback(url, { AccountSid: accountSid, ...form }, { authToken, through });
    const id = newSid('AN');
    keep(answered, id, { ...action, ...answer, id, received_at: new Date() }, kept);
    return answer;
  }

  return {
    ...messages,
    answered: () => [...answered.values()],
    incoming: () => [...incoming.values()],
    forgetIncoming: () => incoming.clear(),

    /** A text to the account's number. */
    reply(from: string, text: string, received_at = new Date()): Promise<CallbackAnswer> {
      const sid = newSid('SM');
      keep(incoming, sid, { sid, from, words: text, received_at }, kept);
      const form = { MessageSid: sid, From: from, To: number, Body: text, NumMedia: '0' };
      return callBack(callbackUrls.text, form, { channel: 'reply', from, words: text });
    },

    /** A key press in a call. Throws for a call that does not exist or does not ask for a key. */
    press: (callSid: string, digit: string): Promise<CallbackAnswer> => {
      const call = messages.find(callSid);
      if (call?.key_press_url === undefined)
        throw new Error(`Call ${callSid} does not exist or does not ask for a key.`);
      return callBack(
        call.key_press_url || callbackUrls.keyPress,
        { CallSid: call.sid, From: number, To: call.to, Digits: digit, Direction: 'outbound-api' },
        { channel: 'key press', from: call.to, words: digit },
      );
    },
  };
}

export type CarrierBook = ReturnType<typeof openCarrierBook>;

const prefixes = { text: 'SM', call: 'CA' };

const newSid = (prefix: string) => prefix + randomUUID().replaceAll('-', '');
