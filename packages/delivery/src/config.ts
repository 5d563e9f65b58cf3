import { z } from 'zod';
import { readMailbox } from './mailbox.ts';
import type { DeliveryOptions } from './open-delivery.ts';
import { toE164 } from './phone.ts';

/** A text of the environment that is turned into what it says; `mayBe` says what it may be. */
function read<Value>(mayBe: string, reader: (text: string) => Value | undefined) {
  return z.string({ error: `is not set; it must be ${mayBe}` }).transform((text, ctx): Value => {
    const value = reader(text);
    if (value !== undefined) return value;
    ctx.addIssue({ code: 'custom', message: `must be ${mayBe}` });
    return z.NEVER;
  });
}

const url = (protocol: RegExp) => (text: string) => {
  const parsed = URL.parse(text);
  return parsed && protocol.test(parsed.protocol) && parsed.hostname !== '' ? text : undefined;
};
const matching = (form: RegExp) => (text: string) => (form.test(text) ? text : undefined);
const withoutSlash = (text: string) => url(/^https?:$/)(text)?.replace(/\/+$/, '');

/** The variables of the environment that say where messages leave and what they link back to. None is ever shown. */
export const deliveryVariables = {
  SMTP_URL: read('a URL such as smtp://user:password@host:587 or smtps://host', url(/^smtps?:$/)),
  MAIL_FROM: read('one e-mail address, with or without a name: Name <name@example.com>', readMailbox),
  CARRIER_URL: read('a URL such as https://api.twilio.com', withoutSlash),
  CARRIER_ACCOUNT_SID: read('the name of the account at the carrier', matching(/^\w{1,64}$/)),
  CARRIER_AUTH_TOKEN: read('the secret of the account at the carrier', matching(/^[\x21-\x7e]{8,200}$/)),
  CARRIER_NUMBER: read('a phone number such as +16045554572', toE164),
  PUBLIC_URL: read('the URL at which the world reaches the gateway', withoutSlash),
};

type DeliveryVariables = z.output<z.ZodObject<typeof deliveryVariables>>;

export interface DeliveryConfig extends DeliveryOptions {
  /** Without a slash at its end. Links and callbacks begin with it. */
  readonly publicUrl: string;
}

export function deliveryConfigOf(variables: DeliveryVariables): DeliveryConfig {
  return {
    smtpUrl: variables.SMTP_URL,
    mailFrom: variables.MAIL_FROM,
    carrier: {
      url: variables.CARRIER_URL,
      accountSid: variables.CARRIER_ACCOUNT_SID,
      authToken: variables.CARRIER_AUTH_TOKEN,
      number: variables.CARRIER_NUMBER,
    },
    publicUrl: variables.PUBLIC_URL,
  };
}
