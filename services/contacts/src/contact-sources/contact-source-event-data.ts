import type { ContactSource } from './contact-source.entity.ts';

export function eventData({ id, user_id, name }: ContactSource) {
  return { contact_source_id: id, user_id, name };
}
