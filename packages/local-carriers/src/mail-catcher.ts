import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { accepts, type Behaviour, behaviours, type Hook } from './behaviour.ts';
import { keep, openLedger, type Received } from './ledger.ts';
import { type CaughtMail, keyOf, readMail } from './mail.ts';
import { socketsOf } from './sockets.ts';

export interface MailCatcherOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** How many e-mails are kept in memory (default 10,000). */
  readonly kept?: number;
}

export interface MailCatcher {
  /** `smtp://host:port`. */
  readonly url: string;
  /** Oldest first, each Message-ID once. */
  mails(): readonly CaughtMail[];
  behave(hook: Hook | undefined): void;
  received(): readonly Received[];
  /** Closes every open connection without a reply. */
  breakConnections(): void;
  close(): Promise<void>;
}

/** A mail server that accepts all mail and forwards none. */
export async function startMailCatcher({ host, port, kept }: MailCatcherOptions): Promise<MailCatcher> {
  const { receive, ...mailbox } = openMailbox(kept);
  const smtp = new SMTPServer({
    authOptional: true,
    // It has no trusted certificate.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: 10_000_000,
    onData(stream, session, callback) {
      buffer(stream)
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
    url: `smtp://${host}:${actual}`,
    breakConnections: sockets.breakAll,
    async close() {
      const closed = new Promise<void>((resolve) => smtp.close(resolve));
      sockets.breakAll();
      await closed;
    },
  };
}

/** The e-mails that arrived. */
function openMailbox(kept?: number) {
  const caught = new Map<string, CaughtMail>();
  const { behave, of } = behaviours();
  const ledger = openLedger(kept);
  return {
    mails: () => [...caught.values()],
    behave,
    received: ledger.received,

    async receive(raw: Buffer, session: SMTPServerSession): Promise<Behaviour> {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const mail = await readMail(raw, to);
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
