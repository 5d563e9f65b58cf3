import { randomBytes } from 'node:crypto';
import { type Arrival, accepts, type Behaviour, behaviours } from './behaviour.ts';
import { keep, openLedger } from './ledger.ts';
import { type CallbackAnswer, postCallback } from './post-callback.ts';

export interface CallbackUrls {
  /** Where a text that comes in is posted. */
  readonly text: string;
  /** Where a key press is posted, of a call that asks for one without naming a URL. */
  readonly keyPress: string;
}

export interface Account {
  readonly accountSid: string;
  readonly authToken: string;
  /** The number of the account, in E.164. */
  readonly number: string;
  /** Looked at for each callback, so that they may be set once the receiver has its port. */
  readonly callbackUrls: CallbackUrls;
  /** Where callbacks go instead of the public address, if that cannot be reached from here. */
  readonly callbacksThrough?: string | undefined;
  /** How much of anything is kept; 10,000, if not given. */
  readonly kept?: number;
}

/** A text or call that the carrier took. */
export interface Sent {
  readonly channel: 'text' | 'call';
  readonly sid: string;
  readonly key: string | undefined;
  readonly from: string;
  readonly to: string;
  /** What was written or is said. */
  readonly words: string;
  /** Of a call that asks for a key: where it is posted. */
  readonly key_press_url: string | undefined;
  readonly received_at: Date;
}

/** What somebody did with their phone, and how the callback was answered. */
export interface Answered extends CallbackAnswer {
  readonly channel: 'reply' | 'key press';
  readonly id: string;
  readonly from: string;
  readonly words: string;
  readonly received_at: Date;
}

type Asked = Omit<Sent, 'sid' | 'received_at'>;
type Done = Omit<Answered, 'id' | 'received_at' | keyof CallbackAnswer>;

/** What the carrier remembers and does, apart from the protocol in which it is asked. */
export function openCarrierBook(account: Account) {
  const { accountSid, authToken, number, callbackUrls, kept, callbacksThrough: through } = account;
  const sent = new Map<string, Sent>();
  const byKey = new Map<string, Sent>();
  const answered = new Map<string, Answered>();
  const ledger = openLedger(kept);
  const { behave, of } = behaviours();

  function take(asked: Asked): Sent {
    const message: Sent = { ...asked, sid: newSid(prefixes[asked.channel]), received_at: new Date() };
    keep(sent, message.sid, message, kept);
    if (asked.key !== undefined) keep(byKey, `${asked.channel} ${asked.key}`, message, kept);
    return message;
  }

  /** Takes a message, or answers with the one that the same key brought before. */
  function receive(asked: Asked): { behaviour: Behaviour; message: Sent | undefined } {
    const arrival: Arrival = { channel: asked.channel, key: asked.key, to: asked.to };
    const behaviour = of(arrival);
    const first = byKey.get(`${asked.channel} ${asked.key}`);
    ledger.count(arrival, accepts(behaviour) && !first);
    return { behaviour, message: accepts(behaviour) ? (first ?? take(asked)) : undefined };
  }

  async function callBack(url: string, form: Record<string, string>, what: Done) {
    const answer = await postCallback(url, { AccountSid: accountSid, ...form }, { authToken, through });
    const id = newSid('AN');
    keep(answered, id, { ...what, ...answer, id, received_at: new Date() });
    return answer;
  }

  return {
    behave,
    received: ledger.received,
    receive,
    sent: () => [...sent.values()],
    answered: () => [...answered.values()],
    find: (sid: string) => sent.get(sid),

    /** A text from somebody to the account's number. */
    reply: (from: string, text: string): Promise<CallbackAnswer> =>
      callBack(
        callbackUrls.text,
        { MessageSid: newSid('SM'), From: from, To: number, Body: text, NumMedia: '0' },
        { channel: 'reply', from, words: text },
      ),

    /** A key pressed by the one who was called. Throws for a call that is unknown or asks for none. */
    press: (callSid: string, digit: string): Promise<CallbackAnswer> => {
      const call = sent.get(callSid);
      if (call?.key_press_url === undefined) throw new Error(`No call ${callSid} asks for a key.`);
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

const newSid = (prefix: string) => prefix + randomBytes(16).toString('hex');
