import { notInYourTeams, unknownRecord } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { contactSourceRows } from '../contact-sources/contact-source.queries.ts';
import { mayAssignTo } from '../contacts/contact.policy.ts';
import { customFieldRows } from '../custom-fields/custom-field.queries.ts';
import { hotnessRows } from '../hotnesses/hotness.queries.ts';
import { mayShareWith } from '../shares/share.policy.ts';
import type { importedRowApi } from './imported-row.api.ts';
import { lockUsable } from './imported-row.queries.ts';

export type ImportedRow = z.output<typeof importedRowApi.add.input>['rows'][number];
export type Errors = Record<string, string>;
type Checking = Pick<Context, 'query' | 'user'>;

/**
 * The invalid references of each row, with the messages of a single contact. The records are locked until the
 * transaction ends, each once, however many rows refer to it.
 */
export async function checkRows(ctx: Checking, rows: readonly ImportedRow[]): Promise<Errors[]> {
  const contacts = rows.map(({ contact }) => contact);
  const usable = (model: ReadModel, ids: readonly (number | null | undefined)[]) =>
    lockUsable(ctx.query, ctx.user, model, ids);
  const [hotnesses, sources, fields] = await Promise.all([
    usable(
      hotnessRows,
      contacts.map(({ hotness_id }) => hotness_id),
    ),
    usable(
      contactSourceRows,
      contacts.map(({ source_id }) => source_id),
    ),
    usable(
      customFieldRows,
      contacts.flatMap(({ custom_fields = [] }) => custom_fields.map(({ id }) => id)),
    ),
  ]);
  const owned = { owner_user_id: ctx.user.id };
  return rows.map(({ contact, shared_with }) => {
    const { assigned_user_id, hotness_id, source_id, addresses = [], custom_fields = [] } = contact;
    const errors: Errors = {};
    const missing = (field: string, id: number) => {
      errors[field] = unknownRecord(id).message;
    };
    if (assigned_user_id != null && !mayAssignTo(ctx.user, assigned_user_id))
      errors.assigned_user_id = notInYourTeams(assigned_user_id);
    if (hotness_id != null && !hotnesses.has(hotness_id)) missing('hotness_id', hotness_id);
    if (source_id != null && !sources.has(source_id)) missing('source_id', source_id);
    for (const [index, { id }] of addresses.entries())
      if (id !== undefined) missing(`addresses.${index}.id`, id);
    for (const [index, { id }] of custom_fields.entries())
      if (!fields.has(id)) missing(`custom_fields.${index}.id`, id);
    const stranger = shared_with.find((id) => !mayShareWith(ctx.user, owned, id));
    if (stranger !== undefined) errors.shared_with = notInYourTeams(stranger);
    return errors;
  });
}
