/** What the member to whom a lead is offered may know about it. */
export interface LeadFacts {
  readonly lead_id: number;
  readonly source: string | null;
  readonly type: string | null;
  readonly listing_status: string | null;
  readonly listing_price: string | null;
  readonly mls_id: string | null;
  readonly street_address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zipcode: string | null;
}

interface Named {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** One line without control characters, cut at the limit: the fields of a lead contain whatever was sent. */
export function oneLine(text: string, limit = 120): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > limit ? `${characters.slice(0, limit - 1).join('')}…` : line;
}

export function nameOf(person: Named | undefined, fallback: string): string {
  const parts = [person?.first_name, person?.last_name].filter((part) => part !== null && part !== undefined);
  return oneLine(parts.join(' '), 80) || fallback;
}

/** The address of the property in one line; empty when nothing is known. */
export function addressOf({ street_address, city, state, zipcode }: LeadFacts): string {
  const region = joined([state, zipcode], ' ');
  return oneLine(joined([street_address, city, region], ', '));
}

/** What is known about a lead except its contact, labelled, the most important first. */
export function factsOf(lead: LeadFacts): readonly (readonly [label: string, value: string])[] {
  const facts = [
    ['Property', addressOf(lead)],
    ['Price', shown(lead.listing_price)],
    ['Type', shown(lead.type)],
    ['Status', shown(lead.listing_status)],
    ['MLS', shown(lead.mls_id)],
    ['Source', shown(lead.source)],
  ] as const;
  return facts.filter(([, value]) => value !== '');
}

const shown = (value: string | null) => oneLine(value ?? '');

const joined = (parts: readonly (string | null)[], separator: string) =>
  parts
    .map((part) => oneLine(part ?? ''))
    .filter(Boolean)
    .join(separator);
