import type { MergeValues } from './render.ts';

type Line = string | null;

interface Named {
  readonly first_name: Line;
  readonly last_name: Line;
}

interface Contact extends Named {
  readonly email: Line;
  readonly company: Line;
  readonly mobile_phone: Line;
  readonly birthday: Line;
  readonly anniversary: Line;
  readonly spouse_name: Line;
}

interface Sender extends Named {
  readonly email: Line;
  readonly phone: Line;
}

/**
 * The values of merge fields in a message from a user to a contact; a user who does not exist has none. The unsubscribe link is
 * null: only e-mails have one, each a different one.
 */
export function mergeValuesOf(contact: Contact, user: Sender | undefined): Required<MergeValues> {
  return {
    'contact.first_name': contact.first_name,
    'contact.last_name': contact.last_name,
    'contact.full_name': fullNameOf(contact),
    'contact.email': contact.email,
    'contact.company': contact.company,
    'contact.mobile_phone': contact.mobile_phone,
    'contact.birthday': contact.birthday,
    'contact.anniversary': contact.anniversary,
    'contact.spouse_name': contact.spouse_name,
    'user.first_name': user?.first_name ?? null,
    'user.last_name': user?.last_name ?? null,
    'user.full_name': user ? fullNameOf(user) : null,
    'user.email': user?.email ?? null,
    'user.phone': user?.phone ?? null,
    unsubscribe_url: null,
  };
}

function fullNameOf({ first_name, last_name }: Named): string {
  return [first_name, last_name].filter(Boolean).join(' ');
}
