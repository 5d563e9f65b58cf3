import { text, timeZone } from '@crm/contract';
import { z } from 'zod';
import { type FieldErrors, type FormResult, readForm } from './form.ts';

/** The values in the fields of the form. */
export type ProfileFields = Readonly<ReturnType<typeof typedProfile>>;

export const typedProfile = (fields: ReadonlyMap<string, string>) => ({
  first_name: fields.get('first_name')?.trim() ?? '',
  last_name: fields.get('last_name')?.trim() ?? '',
  phone: fields.get('phone')?.trim() ?? '',
  timezone: fields.get('timezone') ?? '',
  // Browsers do not send a checkbox that is not checked.
  has_text_alerts: fields.has('has_text_alerts'),
  has_call_alerts: fields.has('has_call_alerts'),
});

const orNull = text(255).transform((value) => (value === '' ? null : value));
const ProfileForm = z.object({
  first_name: orNull,
  last_name: orNull,
  phone: orNull,
  timezone: timeZone,
  has_text_alerts: z.boolean(),
  has_call_alerts: z.boolean(),
});

/** Reads the form. The phone number is parsed where it is changed. */
export function readProfile(fields: ProfileFields): FormResult<z.output<typeof ProfileForm>> {
  const read = readForm(ProfileForm, { ...fields });
  return 'errors' in read ? { errors: profileErrors(read.errors) } : read;
}

const sentences: Readonly<Record<string, (error: string) => string>> = {
  first_name: (error) => `The first name ${error}.`,
  last_name: (error) => `The last name ${error}.`,
  phone: () => 'Enter a phone number such as (415) 555-2671, or one that begins with + and the country code.',
  timezone: () => 'Choose a time zone from the list.',
};

/** Turns errors, which continue the names of their fields, into sentences. */
export function profileErrors(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name, sentences[name]?.(error) ?? error]),
  );
}
