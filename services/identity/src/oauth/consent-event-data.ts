import type { Consent } from './consent.entity.ts';

/** A withdrawal is a version of its own, one after the last. */
export function eventData({ id, user_id, application_id, scope }: Consent) {
  return { consent_id: id, user_id, application_id, scope };
}
