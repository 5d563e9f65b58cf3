import { queryRows } from '@crm/data';
import { all, Binds, sqlOfConditions, sqlOfRule } from '@crm/query';
import type { Context } from '@crm/service';
import { z } from 'zod';
import type { conditionsOn } from '../contacts/conditions-on.ts';
import { visibleContacts } from '../contacts/contact.policy.ts';
import type { contactRows } from '../contacts/contact.queries.ts';

const Extent = z.object({
  /** How many addresses a contact has at most. */
  addresses: z.int(),
  /** Whether contacts of others are among them. */
  owners: z.boolean(),
});

/** What the columns of a file depend on besides the custom fields. */
export async function extentOf(
  { query, user }: Context,
  { model, where }: Awaited<ReturnType<typeof conditionsOn<typeof contactRows>>>,
) {
  const binds = new Binds();
  const conditions = all(
    sqlOfRule(visibleContacts(user), model.columns, binds),
    sqlOfConditions(where, model.columns, binds),
  );
  const addresses = '(select count(*)::int from addresses where contact_id = contacts.id)';
  const [extent] = await queryRows(
    query,
    Extent,
    `select coalesce(max(${addresses}), 0) as addresses,
       coalesce(bool_or(owner_user_id <> ${binds.add(user.id)}::int), false) as owners
     from contacts where ${conditions}`,
    binds.values,
  );
  return extent ?? { addresses: 0, owners: false };
}
