import { invalidField, unknownRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import type { customFieldValue } from './custom-field.api.ts';
import { CustomField } from './custom-field.entity.ts';
import { clearValues, setValues } from './custom-field.queries.ts';

/**
 * Writes the values sent with a contact. Fields that are not listed keep theirs; if one is listed twice, the last one counts.
 */
export async function writeCustomFields(
  ctx: Context,
  contactId: number,
  sent: readonly z.output<typeof customFieldValue>[],
): Promise<void> {
  if (sent.length === 0) return;
  await demandUsable(ctx, sent);
  const values = new Map(sent.map(({ id, value }) => [id, value ?? '']));
  const cleared = [...values.keys()].filter((id) => values.get(id) === '');
  for (const id of cleared) values.delete(id);
  await clearValues(ctx.query, contactId, cleared);
  await setValues(ctx.query, contactId, values);
}

/** Throws BadRequest for a hidden field, with the same message as for one that does not exist; locks the others. */
async function demandUsable({ em }: Context, sent: readonly { readonly id: number }[]): Promise<void> {
  const wanted = [...new Set(sent.map(({ id }) => id))];
  const found = await em.find(
    CustomField,
    { id: wanted },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
  );
  const usable = new Set(found.map(({ id }) => id));
  const index = sent.findIndex(({ id }) => !usable.has(id));
  if (index >= 0) throw invalidField(`custom_fields.${index}.id`, unknownRecord(sent[index]?.id));
}
