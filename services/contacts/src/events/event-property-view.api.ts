import { emptyAsNull, id, instant, integer, number, text } from '@crm/contract';
import { z } from 'zod';

const amount = emptyAsNull(number).describe('May have decimals');
const whole = emptyAsNull(integer);
const date = emptyAsNull(instant);
const degrees = emptyAsNull(number).describe('In degrees');

/** The fields of a property that a client may write. None is required. */
export const propertyDraft = z.object({
  mls: text(255).nullable(),
  url: text(200).nullable(),
  address: text(200).nullable().describe('Street and number'),
  city: text(200).nullable(),
  state: text(200).nullable(),
  zip: text(200).nullable(),
  beds: whole,
  full_baths: whole,
  half_baths: whole,
  type: text(45).nullable().describe('Any text, such as Single Family Home'),
  square_feet: text(45).nullable().describe('Any text'),
  listing_price: amount,
  listing_status: text(45).nullable().describe('Any text, such as For Sale'),
  listing_days_on_market: whole,
  estimated_value: amount,
  last_sold_at: date,
  last_sold_price: amount,
  latitude: degrees,
  longitude: degrees,
  images: text(255).nullable().describe('URLs of images, separated by commas'),
  year_built: whole,
  listed_at: date,
});

export const EventPropertyView = z.object({
  id,
  api_event_id: id.describe('The id of its event'),
  contact_id: id.describe('The id of the contact of the event'),
  ...propertyDraft.shape,
});
