import { countryOf } from '@crm/delivery';
import { statesNamed } from './state-names.ts';
import { areaOf, type State, statesOfPostalCode } from './states.ts';

/** What is known about where somebody is. */
export interface Contactable {
  /** In E.164, if known. */
  readonly number: string | null;
  /** The time zone of the contact itself, if known. */
  readonly zone: string | null;
  readonly addresses: readonly { readonly state: string | null; readonly zip: string | null }[];
  /** The time zone of the sender, for somebody about whom nothing is known. */
  readonly senderZone: string;
}

/** The time zones in which somebody may be, and the codes of the states whose hours count. */
export interface Whereabouts {
  readonly zones: readonly string[];
  readonly states: readonly string[];
}

/**
 * The zone of the contact, otherwise all zones of the number and of the addresses, otherwise that of the sender. Mobile numbers
 * move with their owners, and addresses become outdated, so the hours of the states of both apply as well.
 */
export function whereaboutsOf({ number, zone, addresses, senderZone }: Contactable): Whereabouts {
  const isElsewhere = number !== null && !number.startsWith('+1');
  const area = isElsewhere ? undefined : areaOf(number?.slice(2, 5) ?? '');
  const lived = addresses.flatMap((address) => statesOf(address, isElsewhere));
  const livedIn = lived.flatMap(({ zones }) => zones);
  const calledIn = area?.zones ?? zonesOfCountry(number);
  const known = zone === null ? [...new Set([...calledIn, ...livedIn])] : [zone];
  const states = [...(area?.states ?? []), ...lived].map(({ code }) => code);
  return { zones: known.length > 0 ? known : [senderZone], states: [...new Set(states)] };
}

/** A number of the United States or Canada whose area code is not in the table, such as a toll-free one, may be anywhere. */
function zonesOfCountry(number: string | null): readonly string[] {
  const country = number === null ? undefined : countryOf(number);
  if (country === undefined || country === 'US' || country === 'CA') return [];
  return new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
}

/**
 * If a state and a postal code disagree, both are used, because nobody knows which is right. Other countries have codes that look
 * like zips, so these are ignored for somebody with a number there.
 */
const statesOf = (
  { state, zip }: Contactable['addresses'][number],
  isElsewhere: boolean,
): readonly State[] => [...statesNamed(state ?? ''), ...statesOfPostalCode(isElsewhere ? '' : (zip ?? ''))];
