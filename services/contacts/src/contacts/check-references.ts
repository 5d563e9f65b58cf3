import { invalidField, notInYourTeams, unknownRecord } from '@crm/contract';
import { lockReferences } from '@crm/data';
import { type Context, demandOwnPerson } from '@crm/service';
import { contactSourceRows } from '../contact-sources/contact-source.queries.ts';
import { hotnessRows } from '../hotnesses/hotness.queries.ts';
import { mayAssignTo } from './contact.policy.ts';
import { isRemoved, type Reference } from './reference.queries.ts';

interface References {
  readonly assigned_user_id?: number | null | undefined;
  readonly hotness_id?: number | null | undefined;
  readonly source_id?: number | null | undefined;
}

/**
 * The references that differ from what the contact shows: clients send whole records back, with references that they could not
 * set themselves. If the contact shows none although one is stored, the stored one may refer to a removed record.
 */
export async function changedReferences(
  { query }: Context,
  contact: References,
  sent: References,
  missing: readonly Reference[],
): Promise<References> {
  const removed = new Set<string>();
  for (const name of missing) {
    const id = contact[name];
    if (id != null && (await isRemoved(query, name, id))) removed.add(name);
  }
  const shown = (name: keyof References) => (removed.has(name) ? null : (contact[name] ?? null));
  const names = ['assigned_user_id', 'hotness_id', 'source_id'] as const;
  const changed = names.filter((name) => sent[name] !== undefined && sent[name] !== shown(name));
  return Object.fromEntries(changed.map((name) => [name, sent[name]]));
}

/**
 * The references to records that the caller cannot use. The other records are locked until the transaction ends, so that they
 * still exist when the contact is written.
 */
export function missingReferences({ query, user }: Context, { hotness_id, source_id }: References) {
  const records = new Map([
    ...(hotness_id == null ? [] : [['hotness_id', { model: hotnessRows, id: hotness_id }] as const]),
    ...(source_id == null ? [] : [['source_id', { model: contactSourceRows, id: source_id }] as const]),
  ]);
  return lockReferences(query, user, records);
}

/**
 * Throws BadRequest for a reference to a record that the caller cannot use, with the same message as for one that
 * does not exist.
 */
export function demandReferences(
  { user }: Context,
  references: References,
  missing: readonly Reference[],
): void {
  const { assigned_user_id } = references;
  if (assigned_user_id != null) {
    demandOwnPerson(user, assigned_user_id);
    if (!mayAssignTo(user, assigned_user_id))
      throw invalidField('assigned_user_id', notInYourTeams(assigned_user_id));
  }
  const name = missing.find((name) => references[name] != null);
  if (name !== undefined) throw invalidField(name, unknownRecord(references[name]));
}

/** Looks up references, and throws BadRequest for one to a record that the caller cannot use. */
export async function checkReferences(ctx: Context, references: References): Promise<void> {
  demandReferences(ctx, references, await missingReferences(ctx, references));
}
