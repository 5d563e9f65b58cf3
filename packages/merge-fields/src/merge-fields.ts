/** All fields that a template may contain. A name that is not in this list is never looked up anywhere. */
export const mergeFields = [
  'contact.first_name',
  'contact.last_name',
  'contact.full_name',
  'contact.email',
  'contact.company',
  'contact.mobile_phone',
  'contact.birthday',
  'contact.anniversary',
  'contact.spouse_name',
  'user.first_name',
  'user.last_name',
  'user.full_name',
  'user.email',
  'user.phone',
  'unsubscribe_url',
] as const;

export type MergeField = (typeof mergeFields)[number];

const known: ReadonlySet<string> = new Set(mergeFields);

export function isMergeField(name: string): name is MergeField {
  return known.has(name);
}
