import { createHmac } from 'node:crypto';
import { type Carrier, carrierApp, listen } from './carrier.ts';
import type { Account } from './carrier-book.ts';
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts';
import { servePage } from './page/serve-page.ts';

export interface LocalCarriersOptions extends Account {
  readonly host: string;
  /** 0 for any free port, as for `pagePort`. */
  readonly smtpPort: number;
  /** The port of the page and of the carrier's API. */
  readonly pagePort: number;
}

export interface LocalCarriers {
  readonly mail: MailCatcher;
  readonly carrier: Carrier;
  readonly pageUrl: string;
  close(): Promise<void>;
}

/** The providers for messages on one machine, with a page that shows the messages. */
export async function startLocalCarriers(options: LocalCarriersOptions): Promise<LocalCarriers> {
  const { host, smtpPort, pagePort, authToken, kept } = options;
  await using started = new AsyncDisposableStack();
  const mail = await startMailCatcher({
    ...{ host, port: smtpPort, authToken },
    ...(kept !== undefined && { kept }),
  });
  started.defer(mail.close);
  const { app, book } = carrierApp(options);
  const key = keyOfPage(authToken);
  servePage(app, { mail, book, key });
  const carrier = await listen(app, book, { host, port: pagePort });
  started.defer(carrier.close);
  const running = started.move();
  return { mail, carrier, pageUrl: `${carrier.url}/${key}/`, close: () => running.disposeAsync() };
}

/** Whoever knows the account's secret can read its messages, but the link does not reveal the secret. */
const keyOfPage = (authToken: string): string =>
  createHmac('sha256', authToken).update('page of messages').digest('base64url').slice(0, 24);
