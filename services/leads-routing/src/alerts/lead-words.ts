/** What can be said of a lead to the member it is offered to. */
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

/** One line without control characters, of at most so many characters: leads hold whatever somebody sent. */
export function oneLine(text: string, most = 120): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}

export function nameOf(person: Named | undefined, otherwise: string): string {
  const parts = [person?.first_name, person?.last_name].filter((part) => part !== null && part !== undefined);
  return oneLine(parts.join(' '), 80) || otherwise;
}

/** Where the property is, in one line; empty when nothing is known. */
export function placeOf({ street_address, city, state, zipcode }: LeadFacts): string {
  const region = joined([state, zipcode], ' ');
  return oneLine(joined([street_address, city, region], ', '));
}

/** What is known of a lead beside whose it is, each with its label, in the order of weight. */
export function factsOf(lead: LeadFacts): readonly (readonly [label: string, value: string])[] {
  const facts = [
    ['Property', placeOf(lead)],
    ['Price', shown(lead.listing_price)],
    ['Type', shown(lead.type)],
    ['Status', shown(lead.listing_status)],
    ['MLS', shown(lead.mls_id)],
    ['From', shown(lead.source)],
  ] as const;
  return facts.filter(([, value]) => value !== '');
}

const shown = (value: string | null) => oneLine(value ?? '');

const joined = (parts: readonly (string | null)[], between: string) =>
  parts
    .map((part) => oneLine(part ?? ''))
    .filter(Boolean)
    .join(between);
