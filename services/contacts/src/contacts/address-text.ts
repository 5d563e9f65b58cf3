import type { z } from 'zod';
import type { addressDraft } from './address-view.api.ts';

type Draft = Pick<
  z.output<typeof addressDraft>,
  'street_address_1' | 'street_address_2' | 'city' | 'state' | 'zip'
>;

/**
 * The words of new addresses for the search, exactly as the triggers would write them: the triggers then find nothing to
 * change, and the contact is not written twice.
 */
export function searchedTextOf(addresses: readonly Draft[] = []): string | null {
  return addresses.length === 0 ? null : addresses.map(wordsOf).join(' ');
}

function wordsOf({ street_address_1, street_address_2, city, state, zip }: Draft): string {
  const digits = `${(zip ?? '').replaceAll(/[^0-9]/g, '')} `;
  return [street_address_1, street_address_2, city, state, zip, digits]
    .filter((part) => part !== null && part !== undefined)
    .join(' ');
}
