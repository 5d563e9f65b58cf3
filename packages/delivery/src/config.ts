import { z } from 'zod';
import type { CarrierOptions } from './carrier.ts';
import { breaksHeader, readMailbox } from './mailbox.ts';
import type { MailOptions, Providers } from './open-delivery.ts';
import { toE164 } from './phone.ts';
import {
  type SendingRules,
  sendingRulesOf,
  sendingVariables,
  sendingVariablesOf,
  trueOrFalse,
} from './sending-rules.ts';

/** An environment variable parsed by `reader`; `form` describes a valid value in errors. */
function read<Value>(form: string, reader: (text: string) => Value | undefined) {
  return z.string({ error: `is not set; it must be ${form}` }).transform((text, ctx): Value => {
    const value = reader(text);
    if (value !== undefined) return value;
    ctx.addIssue({ code: 'custom', message: `must be ${form}` });
    return z.NEVER;
  });
}

const url = (protocol: RegExp) => (text: string) => {
  const parsed = URL.parse(text);
  return parsed && protocol.test(parsed.protocol) && parsed.hostname !== '' ? text : undefined;
};
const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);
const oneLine = (text: string) => {
  const line = text.trim();
  return line === '' || line.length > 200 || breaksHeader(line) ? undefined : line;
};
const withoutSlash = (text: string) => url(/^https?:$/)(text)?.replace(/\/+$/, '');

/** The environment variables of a carrier of texts and calls. Their values are never shown. */
export const carrierVariables = {
  CARRIER_URL: read('a URL such as https://api.twilio.com', withoutSlash),
  CARRIER_ACCOUNT_SID: read('the id of the account at the carrier', matching(/^\w{1,64}$/)),
  CARRIER_AUTH_TOKEN: read('the secret of the account at the carrier', matching(/^[\x21-\x7e]{8,200}$/)),
  CARRIER_NUMBER: read('a phone number such as +16045554572', toE164),
  /** By default, a provider is assumed to send a repeated message twice. */
  CARRIER_HONOURS_KEYS: trueOrFalse('false'),
  /** ISO codes of the countries whose numbers may be texted and called. */
  ALLOWED_COUNTRIES: z
    .string()
    .regex(/^[A-Z]{2}( *, *[A-Z]{2})*$/, { error: 'must be codes of countries such as US, CA' })
    .default('US, CA')
    .transform((codes) => codes.split(/ *, */)),
};

/** The environment variables of a mail server. Their values are never shown. */
export const mailVariables = {
  SMTP_URL: read('a URL such as smtp://user:password@host:587 or smtps://host', url(/^smtps?:$/)),
  MAIL_FROM: read('one e-mail address, with or without a name: Name <name@example.com>', readMailbox),
};

/** The environment variables of all message providers and of the public URL used in links. Their values are never shown. */
export const deliveryVariables = {
  ...mailVariables,
  ...carrierVariables,
  ...sendingVariables,
  /** The secret with which a mail server authenticates its reports of bounced e-mails. Never shown. */
  BOUNCE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, { error: 'must be 16 to 200 characters without spaces' })
    .optional(),
  /** The operator's postal address, appended to all campaign e-mails. */
  MAIL_POSTAL_ADDRESS: read('a postal address in one line of at most 200 characters', oneLine).optional(),
  PUBLIC_URL: read('the public URL of the gateway', withoutSlash),
};

type DeliveryVariables = z.output<z.ZodObject<typeof deliveryVariables>>;
type MailVariables = z.output<z.ZodObject<typeof mailVariables>>;
type CarrierVariables = z.output<z.ZodObject<typeof carrierVariables>>;

export interface DeliveryConfig extends Providers {
  readonly carrier: CarrierOptions;
  /** Without a trailing slash. Links and callbacks begin with it. */
  readonly publicUrl: string;
  readonly rules: SendingRules;
  /** Without it, no reports about e-mails are accepted. */
  readonly bounceToken?: string | undefined;
  /** The operator's postal address, in one line. */
  readonly postalAddress?: string | undefined;
}

export function deliveryConfigOf(variables: DeliveryVariables): DeliveryConfig {
  return {
    ...mailOf(variables),
    carrier: carrierOf(variables),
    publicUrl: variables.PUBLIC_URL,
    rules: sendingRulesOf(variables),
    bounceToken: variables.BOUNCE_TOKEN,
    postalAddress: variables.MAIL_POSTAL_ADDRESS,
  };
}

export const mailOf = ({ SMTP_URL, MAIL_FROM }: MailVariables): MailOptions => ({
  smtpUrl: SMTP_URL,
  mailFrom: MAIL_FROM,
});

export function carrierOf(variables: CarrierVariables): CarrierOptions {
  return {
    url: variables.CARRIER_URL,
    accountSid: variables.CARRIER_ACCOUNT_SID,
    authToken: variables.CARRIER_AUTH_TOKEN,
    number: variables.CARRIER_NUMBER,
    honoursKeys: variables.CARRIER_HONOURS_KEYS,
    allowedCountries: variables.ALLOWED_COUNTRIES,
  };
}

/** The configuration as environment variables for another process. */
export function variablesOf({
  carrier,
  publicUrl,
  rules,
  bounceToken,
  postalAddress,
  ...mail
}: DeliveryConfig): Record<string, string> {
  return {
    ...mailVariablesOf(mail),
    ...carrierVariablesOf(carrier),
    PUBLIC_URL: publicUrl,
    ...(bounceToken !== undefined && { BOUNCE_TOKEN: bounceToken }),
    ...(postalAddress !== undefined && { MAIL_POSTAL_ADDRESS: postalAddress }),
    ...sendingVariablesOf(rules),
  };
}

/** The variables of a mail server from its options. */
export function mailVariablesOf({
  smtpUrl,
  mailFrom: { name, address },
}: MailOptions): Record<string, string> {
  return { SMTP_URL: smtpUrl, MAIL_FROM: name ? `"${name}" <${address}>` : address };
}

/** The variables of a carrier from its options. */
export function carrierVariablesOf(carrier: CarrierOptions): Record<string, string> {
  return {
    CARRIER_URL: carrier.url,
    CARRIER_ACCOUNT_SID: carrier.accountSid,
    CARRIER_AUTH_TOKEN: carrier.authToken,
    CARRIER_NUMBER: carrier.number,
    CARRIER_HONOURS_KEYS: String(carrier.honoursKeys),
    ALLOWED_COUNTRIES: carrier.allowedCountries.join(','),
  };
}
