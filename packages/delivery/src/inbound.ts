import { z } from 'zod';
import { toE164 } from './phone.ts';
import { isSignature } from './signature.ts';

export interface Callback {
  /** The whole URL as the provider was given it, with its query, not as a proxy has rewritten it. */
  readonly url: string;
  /** The form as it came, not parsed. */
  readonly body: string;
  /** The header X-Twilio-Signature. */
  readonly signature: string | undefined;
}

const sid = z.string().regex(/^\w{1,64}$/);
const phone = z
  .string()
  .transform((text) => toE164(text))
  .pipe(z.string());

const Inbound = z.union([
  z
    .object({ MessageSid: sid, From: phone, To: phone, Body: z.string() })
    .transform(({ MessageSid: id, From: from, To: to, Body: text }) => ({
      kind: 'text' as const,
      from,
      to,
      text,
      id,
    })),
  z
    .object({ CallSid: sid, From: phone, To: phone, Digits: z.string().regex(/^[\d*#]{1,32}$/) })
    .transform(({ CallSid: call_id, From: from, To: to, Digits: digits }) => ({
      kind: 'key press' as const,
      from,
      to,
      digits,
      call_id,
    })),
]);

/** A text that came in, or a key pressed in a call. Who pressed it in a call of ours is `to`: the one who was called. */
export type Inbound = z.output<typeof Inbound>;

/**
 * Reads a callback of the provider; undefined for one without its signature or without what it must say. The
 * signature does not go stale, so a callback may come twice: `id` and `call_id` tell.
 */
export function readInbound({ url, body, signature }: Callback, authToken: string): Inbound | undefined {
  const form = new URLSearchParams(body);
  if (signature === undefined || !isSignature(signature, url, form, authToken)) return undefined;
  // The signature of a name that stands twice says nothing of the order, so neither value can be trusted.
  const unambiguous = [...new Set(form.keys())].filter((name) => new Set(form.getAll(name)).size === 1);
  return Inbound.safeParse(Object.fromEntries(unambiguous.map((name) => [name, form.get(name)]))).data;
}
