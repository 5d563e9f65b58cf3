import { shortLine } from '@crm/delivery';
import type { LeadFacts } from './lead-facts.ts';

/** The maximum length of a fact of a lead: its fields contain whatever was sent. */
const factLength = 120;

/** The address of the property in one line; empty if nothing is known. */
export function addressOf({ street_address, city, state, zipcode }: LeadFacts): string {
  const region = joined([state, zipcode], ' ');
  return shortLine(joined([street_address, city, region], ', '), factLength);
}

/** The known facts about a lead except its contact, with labels, the most important first. */
export function factsOf(lead: LeadFacts): readonly (readonly [label: string, value: string])[] {
  const facts = [
    ['Property', addressOf(lead)],
    ['Price', priceOf(lead)],
    ['Type', shown(lead.type)],
    ['Status', shown(lead.listing_status)],
    ['MLS', shown(lead.mls_id)],
    ['Source', shown(lead.source)],
    ['Submitted', ageOf(lead)],
  ] as const;
  return facts.filter(([, value]) => value !== '');
}

/** The price as it was sent, or in dollars if it is a plain number. */
export function priceOf({ listing_price }: LeadFacts): string {
  const price = shown(listing_price);
  const isNumber = /^\$? ?(\d{1,15}|\d{1,3}(,\d{3}){1,4})(\.\d{1,2})?$/.test(price);
  return isNumber ? inDollars(Number(price.replace(/[$, ]/g, ''))) : price;
}

let dollars: Intl.NumberFormat | undefined;

/** Created on first use, because loading Node's currency data takes a hundredth of the start time. */
function inDollars(price: number): string {
  dollars ??= new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 0,
  });
  return dollars.format(price);
}

const ages = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a lead was submitted, in the largest unit. */
function ageOf({ seconds_old }: LeadFacts): string {
  const [unit, seconds] = units.find(([, length]) => seconds_old >= length) ?? [];
  return unit ? ages.format(-Math.floor(seconds_old / seconds), unit) : 'just now';
}

/** The enquirer's message with its line breaks but without control characters, cut at the limit; empty if there is none. */
export function messageOf({ text_body }: LeadFacts, limit = 1_000): string {
  const lines = (text_body ?? '').split(/\r\n|[\n\r\u2028\u2029]/).map((line) => shortLine(line, limit));
  const text = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : text;
}

const shown = (value: string | null) => shortLine(value ?? '', factLength);

const joined = (parts: readonly (string | null)[], separator: string) =>
  parts
    .map((part) => shortLine(part ?? '', factLength))
    .filter(Boolean)
    .join(separator);
