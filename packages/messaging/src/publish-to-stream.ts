import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';

interface Message {
  readonly stream: string;
  readonly subject: string;
  readonly text: string;
  /** Lets the stream recognize a message that it already has. */
  readonly id: string;
}

/** Publishes a message. Returns its number in the stream once that has stored it. */
export type PublishToStream = (message: Message) => Promise<number>;

interface Waiting {
  readonly until: number;
  readonly resolve: (seq: number) => void;
  readonly reject: (error: Error) => void;
}

const timeoutMs = 5_000;

/**
 * Publishes with one subscription to all acknowledgements of a connection. The library creates three errors with stacks and a
 * timer for each message, which costs more than everything else that is done for it.
 */
export function publisherOn(connection: NatsConnection, inboxPrefix: string | undefined): PublishToStream {
  const inbox = createInbox(inboxPrefix);
  const waiting = waitingFor(inbox);
  connection.subscribe(`${inbox}.*`, { callback: (error, message) => waiting.answer(error, message) });
  void connection.closed().then(waiting.end);
  return ({ stream, subject, text, id }) =>
    new Promise((resolve, reject) => {
      const sent = headers();
      sent.set('Nats-Msg-Id', id);
      sent.set('Nats-Expected-Stream', stream);
      const reply = waiting.add({ until: performance.now() + timeoutMs, resolve, reject });
      connection.publish(subject, text, { headers: sent, reply });
    });
}

/** Callers that wait for acknowledgements, in the order of their timeouts. */
function waitingFor(inbox: string) {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    for (const [reply, { until, reject }] of waiting) {
      if (until > performance.now()) break;
      waiting.delete(reply);
      reject(new Error('The broker did not acknowledge a message.'));
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    add(one: Waiting): string {
      const reply = `${inbox}.${count++}`;
      timer ??= setInterval(giveUp, timeoutMs / 10).unref();
      waiting.set(reply, one);
      return reply;
    },
    end() {
      clearInterval(timer);
      timer = undefined;
      for (const { reject } of waiting.values())
        reject(new Error('The connection to the broker was closed.'));
      waiting.clear();
    },
    answer(error: Error | null, message: Msg) {
      const one = waiting.get(message.subject);
      waiting.delete(message.subject);
      const answered = error ?? readAnswer(message);
      if (answered instanceof Error) one?.reject(answered);
      else one?.resolve(answered);
    },
  };
}

interface Answer {
  readonly seq?: number;
  readonly error?: { readonly description?: string };
}

/** The number of a stored message, or why it was not stored. Nobody answers for a stream that does not exist. */
function readAnswer(message: Msg): number | Error {
  if (message.data.length === 0) return new Error('No stream stores the subject of the message.');
  const { seq, error } = message.json<Answer>();
  // With an error, the number is that of no message.
  if (error || seq === undefined)
    return new Error(error?.description ?? 'The broker did not store a message.');
  return seq;
}
