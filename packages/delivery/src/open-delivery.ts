import { type CarrierOptions, openCarrier, type PhoneCall, type Text } from './carrier.ts';
import type { Email } from './email.ts';
import { openMailServer } from './mail-server.ts';
import type { Mailbox } from './mailbox.ts';
import type { Outcome } from './outcome.ts';

export interface DeliveryOptions {
  readonly smtpUrl: string;
  readonly mailFrom: Mailbox;
  readonly carrier: CarrierOptions;
  /** How long one attempt may take; 30 seconds, if not given. */
  readonly timeoutMs?: number;
}

/** Whatever a provider or the network does is an Outcome; these throw only for a key that is none. */
export interface Delivery {
  email(email: Email): Promise<Outcome>;
  /** The number may have any form that has one reading in North America, or a country code. */
  text(text: Text): Promise<Outcome>;
  call(call: PhoneCall): Promise<Outcome>;
  /** Ends the connections. E-mails under way answer `failed` or `unknown`; texts and calls are waited for. */
  close(): Promise<void>;
}

export function openDelivery({ smtpUrl, mailFrom, carrier, timeoutMs = 30_000 }: DeliveryOptions): Delivery {
  const mail = openMailServer({ smtpUrl, mailFrom, timeoutMs });
  const phone = openCarrier(carrier, timeoutMs);
  return {
    email: mail.send,
    text: phone.text,
    call: phone.call,
    async close() {
      mail.close();
      await phone.close();
    },
  };
}
