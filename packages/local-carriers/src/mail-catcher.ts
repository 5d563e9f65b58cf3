import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { accepts, type Behaviour, behaviours, type Hook } from './behaviour.ts';
import { keep, openLedger, type Received } from './ledger.ts';
import { type CaughtMail, keyOf, readMail, type UnreadMail, unreadMail } from './mail.ts';
import { socketsOf } from './sockets.ts';

export interface MailCatcherOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The account's secret, from which the password is derived. */
  readonly authToken: string;
  /** How many e-mails are kept in memory (default 10,000). */
  readonly kept?: number;
}

export interface MailCatcher {
  /** With the required user and password. */
  readonly url: string;
  /** Oldest first, each Message-ID once. */
  mails(): Promise<readonly CaughtMail[]>;
  /** The ids of the same e-mails, without parsing them. */
  messageIds(): readonly string[];
  behave(hook: Hook | undefined): void;
  received(): readonly Received[];
  /** Closes every open connection without a reply. */
  breakConnections(): void;
  close(): Promise<void>;
}

const limits = {
  authMethods: ['PLAIN'],
  // It has no trusted certificate. The password is only for this server.
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  size: 10_000_000,
};

/** A mail server that accepts all mail from clients with the password, and forwards none. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const { host, port, authToken, kept } = options;
  const { receive, ...mailbox } = openMailbox(kept);
  const smtp = new SMTPServer({
    ...limits,
    onAuth: (credentials, _session, callback) =>
      isSender(credentials, authToken) ? callback(null, { user: mailUser }) : callback(wrongPassword()),
    onData(stream, session, callback) {
      contentOf(stream)
        .then((raw) => receive(raw, session))
        .then((behaviour) => respond(behaviour, session, callback), callback);
    },
  });
  const sockets = socketsOf(smtp.server);

  function respond(behaviour: Behaviour, session: SMTPServerSession, callback: (error?: Error) => void) {
    if (behaviour === 'accept') callback();
    else if (typeof behaviour === 'object') callback(replyWith(behaviour.answer, behaviour.body));
    else if (behaviour.startsWith('break')) sockets.breakFrom(session.remotePort);
  }

  // Without a listener, a client that disconnects would end this process.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(port, host);
  await once(listening, 'listening');
  const { port: actual } = listening.address() as AddressInfo;
  return {
    ...mailbox,
    url: mailUrl({ host, port: actual, authToken }),
    breakConnections: sockets.breakAll,
    async close() {
      const closed = new Promise<void>((resolve) => smtp.close(resolve));
      sockets.breakAll();
      await closed;
    },
  };
}

/** Node's `buffer` would copy it through a Blob. */
const contentOf = async (stream: Readable) => Buffer.concat((await stream.toArray()) as Buffer[]);

const wrongPassword = () => new Error('The user or the password is wrong.');

const mailUser = 'crm';

/** Clients that send mail do not learn the account's secret. */
const passwordOf = (authToken: string): string =>
  createHmac('sha256', authToken).update('password of the mail server').digest('base64url');

/**
 * The URL at which a mail catcher with this secret accepts e-mails, also from another container, without requiring encryption,
 * which it does not support.
 */
export const mailUrl = ({ host, port, authToken }: Omit<MailCatcherOptions, 'kept'>): string =>
  `smtp://${mailUser}:${passwordOf(authToken)}@${host}:${port}?requireTLS=false`;

interface Credentials {
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
}

function isSender({ username, password }: Credentials, authToken: string): boolean {
  const [given, wanted] = [Buffer.from(password ?? ''), Buffer.from(passwordOf(authToken))];
  return username === mailUser && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** The e-mails that arrived. */
function openMailbox(kept?: number) {
  const caught = new Map<string, UnreadMail>();
  const { behave, of } = behaviours();
  const ledger = openLedger(kept);
  return {
    mails: () => Promise.all([...caught.values()].map(readMail)),
    messageIds: () => [...caught.values()].flatMap(({ message_id }) => message_id ?? []),
    behave,
    received: ledger.received,

    receive(raw: Buffer, session: SMTPServerSession): Behaviour {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const mail = unreadMail(raw, to);
      const arrival = { channel: 'email', key: keyOf(mail), to: to.join(', ') } as const;
      const behaviour = of(arrival);
      ledger.count(arrival, accepts(behaviour));
      if (!accepts(behaviour)) return behaviour;
      const name = mail.message_id ?? mail.id;
      const before = caught.get(name);
      keep(caught, name, before ? { ...before, deliveries: before.deliveries + 1 } : mail, kept);
      return behaviour;
    },
  };
}

function replyWith(responseCode: number, message = 'Requested by a test') {
  return Object.assign(new Error(message), { responseCode });
}
