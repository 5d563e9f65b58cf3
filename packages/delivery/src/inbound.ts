import { z } from 'zod';
import { Sid } from './carrier-api.ts';
import { carrierError, type DeliveryBlock } from './carrier-errors.ts';
import { type DeliveryState, deliveryStateOf } from './delivery-state.ts';
import { senderOf, toE164 } from './phone.ts';
import { isSignature } from './signature.ts';
import { meaningOf, type TextMeaning } from './text-meaning.ts';

interface Callback {
  /** The full URL that we gave to the provider, with its query and before any proxy rewrites it. */
  readonly url: string;
  /** The form as it was received, not parsed. */
  readonly body: string;
  /** The header X-Twilio-Signature. */
  readonly signature: string | undefined;
}

const phone = z
  .string()
  .transform((text) => toE164(text))
  .pipe(z.string());

/** In E.164, or unchanged: texts also come from short codes and names. */
const sender = z
  .string()
  .transform((text) => senderOf(text))
  .pipe(z.string().min(1));

/** Twilio's classification of a text: the operator configures the words for it there, in any language. */
const optOutTypes: Readonly<Record<string, TextMeaning>> = { STOP: 'stop', START: 'start', HELP: 'help' };

const OptOutType = z
  .string()
  .toUpperCase()
  .transform((type) => (Object.hasOwn(optOutTypes, type) ? optOutTypes[type] : undefined))
  .optional();

const Inbound = z.union([
  z
    .looseObject({
      MessageSid: Sid,
      From: sender,
      To: sender,
      Body: z.string(),
      OptOutType,
    })
    .transform(({ MessageSid: id, From: from, To: to, Body: text, OptOutType: asked, ...others }) => ({
      kind: 'text' as const,
      from,
      to,
      text,
      id,
      mediaUrls: mediaUrlsIn(others),
      /** What the provider already did counts; otherwise the words of the text do. */
      meaning: asked ?? meaningOf(text),
      /** Whether the provider has already replied: an account can have STOP, START and HELP answered there. */
      isAnswered: asked !== undefined,
    })),
  z
    .object({ CallSid: Sid, From: phone, To: phone, Digits: z.string().regex(/^[\d*#]{1,32}$/) })
    .transform(({ CallSid: call_id, From: from, To: to, Digits: digits }) => ({
      kind: 'key press' as const,
      from,
      to,
      digits,
      call_id,
    })),
]);

/** The URLs of a text's attachments. */
function mediaUrlsIn(form: Readonly<Record<string, unknown>>): string[] {
  const count = Number(form.NumMedia);
  if (!Number.isInteger(count) || count < 1) return [];
  const urls = Array.from({ length: Math.min(count, maxMedia) }, (_, index) => form[`MediaUrl${index}`]);
  return urls.filter((url) => typeof url === 'string');
}

/** The provider accepts no more attachments with a text. */
const maxMedia = 10;

/** An incoming text, or a key pressed in a call. In a call that we made, `to` is the number of the person who pressed it. */
export type Inbound = z.output<typeof Inbound>;

/** The outcome of a text or call. */
export interface StatusReport {
  readonly reference: string;
  readonly state: DeliveryState;
  /** Why it did not arrive, if it did not. */
  readonly reason?: string;
  /** Why nothing more is sent to the number or address. */
  readonly block?: DeliveryBlock;
}

const errorCode = z
  .string()
  .regex(/^\d{1,6}$/)
  .optional()
  .catch(undefined);

const Status = z.union([
  z
    .object({ MessageSid: Sid, MessageStatus: z.string(), ErrorCode: errorCode })
    .transform((form) => [form.MessageSid, form.MessageStatus, form.ErrorCode]),
  z.object({ CallSid: Sid, CallStatus: z.string() }).transform((form) => [form.CallSid, form.CallStatus]),
]);

/**
 * Reads a callback of the provider; undefined for one without its signature or without a required value. The signature does not
 * expire, so a callback may be replayed: `id` and `call_id` identify duplicates.
 */
export function readInbound(callback: Callback, authToken: string): Inbound | undefined {
  return Inbound.safeParse(signedForm(callback, authToken)).data;
}

/** Reads a callback about the status of a text or call, by the same rules. */
export function readStatus(callback: Callback, authToken: string): StatusReport | undefined {
  const [reference = '', status = '', code] = Status.safeParse(signedForm(callback, authToken)).data ?? [];
  const state = deliveryStateOf(status);
  if (!state) return undefined;
  const isLost = state === 'Undelivered' || state === 'Failed';
  return { reference, state, ...(isLost && code && carrierError(code)) };
}

/** The values of a form that the provider has signed. */
function signedForm({ url, body, signature }: Callback, authToken: string) {
  const form = new URLSearchParams(body);
  if (signature === undefined || !isSignature(signature, url, form, authToken)) return undefined;
  // The signature does not cover the order of repeated values, so none of them can be trusted.
  const unambiguous = [...new Set(form.keys())].filter((name) => new Set(form.getAll(name)).size === 1);
  return Object.fromEntries(unambiguous.map((name) => [name, form.get(name)]));
}
