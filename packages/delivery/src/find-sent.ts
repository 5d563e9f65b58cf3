import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parsed, Sid } from './carrier-api.ts';
import { type DeliveryState, deliveryStateOf } from './delivery-state.ts';

/** A text or call that the provider may or may not have accepted. */
export interface Lost {
  /** In E.164. */
  readonly to: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** The digest of a text; null for a call. */
  readonly digest: string | null;
}

/** The messages or calls of the provider that may be the lost one. */
export type Search =
  | { readonly is: 'answered'; readonly found: readonly Found[] }
  | { readonly is: 'unavailable'; readonly reason: string };

export interface Found {
  readonly reference: string;
  readonly state: DeliveryState;
}

/** Identifies a text without storing its words. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How far the clocks of the provider and of the database may differ, including the duration of a request. */
export const toleranceMs = 120_000;

const Listed = z.object({
  sid: Sid,
  status: z.string(),
  body: z.string().optional(),
  date_created: z.string().transform((text) => Date.parse(text)),
});
const Page = z.union([
  z.object({ messages: z.array(Listed) }).transform(({ messages }) => messages),
  z.object({ calls: z.array(Listed) }).transform(({ calls }) => calls),
]);

/** The most entries that the provider lists at once. */
const listedAtOnce = 1_000;

/**
 * The query for the messages or calls to a number, latest first. It does not filter by day, because a message that was accepted
 * but not sent yet has no date.
 */
export const searchQuery = ({ to }: Lost, from: string) =>
  new URLSearchParams({ To: to, From: from, PageSize: String(listedAtOnce) });

/** The entries of a page that may be the lost one: sent to its number, at its time and, for a text, with its words. */
export function candidatesIn(text: string, { at, digest }: Lost): Search {
  const page = Page.safeParse(parsed(text));
  if (!page.success) return { is: 'unavailable', reason: 'The provider did not return a list.' };
  const isEarlier = page.data.some(({ date_created }) => date_created < at - toleranceMs);
  if (page.data.length >= listedAtOnce && !isEarlier)
    return { is: 'unavailable', reason: 'The provider has sent too many to this number since.' };
  const found = page.data
    .filter(({ date_created }) => Math.abs(date_created - at) <= toleranceMs)
    .filter(({ body }) => digest === null || (body !== undefined && digestOf(body) === digest))
    .map(({ sid, status }) => ({ reference: sid, state: deliveryStateOf(status) ?? 'Queued' }));
  return { is: 'answered', found };
}
