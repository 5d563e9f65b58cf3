import { choice, emptyAsNull, id, instant, text } from '@crm/contract';
import { z } from 'zod';

const type = choice('Home', 'Main Office', 'Branch Office', 'Second Home', 'Investment', 'Mailing');

export const AddressView = z.object({
  id,
  type: type.nullable(),
  street_address_1: text(45).nullable(),
  street_address_2: text(45).nullable(),
  zip: text(45).nullable(),
  city: text(200).nullable(),
  state: text(200).nullable().describe('The full name'),
  created_at: instant,
  modified_at: instant,
});

/** A contact that had more before this limit existed keeps them. */
export const maxAddresses = 50;

/** Forms send an empty type as well. */
export const addressDraft = AddressView.omit({ id: true, created_at: true, modified_at: true })
  .extend({ type: emptyAsNull(type) })
  .partial();
