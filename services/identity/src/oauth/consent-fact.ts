import type { Consent } from './consent.entity.ts';

/** A withdrawal is a version of its own, one after the last. */
export function factOf({ id, version, user_id, application_id, scope }: Consent, later = 0) {
  return { id, version: version + later, data: { consent_id: id, user_id, application_id, scope } };
}
