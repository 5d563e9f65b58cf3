import type { Consent } from './consent.entity.ts';

export function eventData({ id, user_id, application_id, scope }: Consent) {
  return { consent_id: id, user_id, application_id, scope };
}
