import { lockReferences, type ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { contactSourceRows } from '../contact-sources/contact-source.queries.ts';
import { mayAssignTo } from '../contacts/contact.policy.ts';
import { CustomField } from '../custom-fields/custom-field.entity.ts';
import { hotnessRows } from '../hotnesses/hotness.queries.ts';
import { mayShareWith } from '../shares/share.policy.ts';
import type { importedRowApi } from './imported-row.api.ts';

export type ImportedRow = z.output<typeof importedRowApi.add.input>['rows'][number];
export type Errors = Record<string, string>;

/**
 * The invalid references of each row, with the messages of a single contact. The records are locked until the
 * transaction ends, each once, however many rows refer to it.
 */
export async function checkRows(ctx: Context, rows: readonly ImportedRow[]): Promise<Errors[]> {
  const contacts = rows.map(({ contact }) => contact);
  const hotnesses = await usable(
    ctx,
    hotnessRows,
    contacts.map(({ hotness_id }) => hotness_id),
  );
  const sources = await usable(
    ctx,
    contactSourceRows,
    contacts.map(({ source_id }) => source_id),
  );
  const fields = await usableFields(
    ctx,
    contacts.flatMap(({ custom_fields = [] }) => custom_fields),
  );
  const owned = { owner_user_id: ctx.user.id };
  return rows.map(({ contact, shared_with }) => {
    const { assigned_user_id, hotness_id, source_id, addresses = [], custom_fields = [] } = contact;
    const errors: Errors = {};
    const missing = (field: string, id: number) => {
      errors[field] = `'${id}' does not exist`;
    };
    if (assigned_user_id != null && !mayAssignTo(ctx.user, assigned_user_id))
      errors.assigned_user_id = `'${assigned_user_id}' is not a user of your teams`;
    if (hotness_id != null && !hotnesses.has(hotness_id)) missing('hotness_id', hotness_id);
    if (source_id != null && !sources.has(source_id)) missing('source_id', source_id);
    for (const [index, { id }] of addresses.entries())
      if (id !== undefined) missing(`addresses.${index}.id`, id);
    for (const [index, { id }] of custom_fields.entries())
      if (!fields.has(id)) missing(`custom_fields.${index}.id`, id);
    const stranger = shared_with.find((id) => !mayShareWith(ctx.user, owned, id));
    if (stranger !== undefined) errors.shared_with = `'${stranger}' is not a user of your teams`;
    return errors;
  });
}

async function usable(
  { query, user }: Context,
  model: ReadModel,
  ids: readonly (number | null | undefined)[],
): Promise<ReadonlySet<number>> {
  const wanted = [...new Set(ids)].filter((id) => id != null).sort((a, b) => a - b);
  const missing = await lockReferences(query, user, new Map(wanted.map((id) => [`r${id}`, { model, id }])));
  return new Set(wanted.filter((id) => !missing.includes(`r${id}`)));
}

async function usableFields({ em }: Context, values: readonly { readonly id: number }[]) {
  const wanted = [...new Set(values.map(({ id }) => id))];
  if (wanted.length === 0) return new Set<number>();
  const found = await em.find(
    CustomField,
    { id: wanted },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
  );
  return new Set(found.map(({ id }) => id));
}
