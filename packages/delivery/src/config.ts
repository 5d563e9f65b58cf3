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
  /** Unless somebody knows better, a provider may send twice what comes twice. */
  CARRIER_HONOURS_KEYS: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((word) => word === 'true'),
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
    carrier: carrierOf(variables),
    publicUrl: variables.PUBLIC_URL,
  };
}

export function carrierOf(variables: Omit<DeliveryVariables, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL'>) {
  return {
    url: variables.CARRIER_URL,
    accountSid: variables.CARRIER_ACCOUNT_SID,
    authToken: variables.CARRIER_AUTH_TOKEN,
    number: variables.CARRIER_NUMBER,
    honoursKeys: variables.CARRIER_HONOURS_KEYS,
  };
}

/** The same as a process of its own is told of it. */
export function variablesOf({
  smtpUrl,
  mailFrom,
  carrier,
  publicUrl,
}: DeliveryConfig): Record<string, string> {
  const { name, address } = mailFrom;
  return {
    SMTP_URL: smtpUrl,
    MAIL_FROM: name ? `"${name}" <${address}>` : address,
    CARRIER_URL: carrier.url,
    CARRIER_ACCOUNT_SID: carrier.accountSid,
    CARRIER_AUTH_TOKEN: carrier.authToken,
    CARRIER_NUMBER: carrier.number,
    CARRIER_HONOURS_KEYS: String(carrier.honoursKeys),
    PUBLIC_URL: publicUrl,
  };
}
