import { toE164 } from '@crm/contacts-csv/phone';

interface Phones {
  readonly mobile_phone?: string | null;
  readonly home_phone?: string | null;
  readonly office_phone?: string | null;
}

/** The numbers of a contact in E.164, the form in which they are compared. */
export function comparablePhones({ mobile_phone, home_phone, office_phone }: Phones) {
  return {
    ...(mobile_phone !== undefined && { mobile_phone_e164: toE164(mobile_phone) }),
    ...(home_phone !== undefined && { home_phone_e164: toE164(home_phone) }),
    ...(office_phone !== undefined && { office_phone_e164: toE164(office_phone) }),
  };
}
