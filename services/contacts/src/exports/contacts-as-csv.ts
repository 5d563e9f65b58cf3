import { connectionsOf } from '@crm/auth';
import { byteOrderMark, type Contact, cellsOf, csvText, headersOf, type Layout } from '@crm/contacts-csv';
import { byIds, type Context } from '@crm/service';
import { optOutsOf } from '../consents/consent.queries.ts';
import { contactsFormat } from '../contacts-format.ts';
import { identity } from '../peers.ts';
import { sharesOf } from '../shares/share.queries.ts';

/** Some contacts as lines of a file, preceded by its header if they are the first. */
export async function csvOf(
  ctx: Context,
  contacts: readonly Contact[],
  { layout, isFirst }: { readonly layout: Layout; readonly isFirst: boolean },
): Promise<string> {
  const ids = contacts.map(({ id }) => id);
  const shares = Map.groupBy(await sharesOf(ctx.query, ctx.user, ids), ({ contact_id }) => contact_id);
  const optedOut = await optOutsOf(ctx.query, ctx.user, ids);
  // For others, such as former teammates, the caller sees only the id.
  const visible = connectionsOf(ctx.user);
  const sharedWith = (id: number) => (shares.get(id) ?? []).map(({ user_id }) => user_id);
  const people = await byIds(
    contacts.flatMap(({ id, owner_user_id, assigned_user_id }) => [
      owner_user_id,
      assigned_user_id,
      ...sharedWith(id),
    ]),
    (wanted) => identity.asSystem(ctx).users.byIds({ ids: wanted.filter((id) => visible.has(id)) }),
  );
  const emailOf = (id: number | null) => (id === null ? '' : (emailIn(people.get(id)) ?? `user ${id}`));
  const today = ctx.now().toISOString().slice(0, 10);
  const rows = contacts.map((contact) => {
    const row = {
      contact,
      owner: emailOf(contact.owner_user_id),
      assignedTo: emailOf(contact.assigned_user_id),
      sharedWith: sharedWith(contact.id).map(emailOf).join(', '),
      optedOut: optedOut.get(contact.id) ?? [],
    };
    return cellsOf(row, layout, { format: contactsFormat, today });
  });
  return isFirst ? byteOrderMark + csvText([headersOf(layout, contactsFormat), ...rows]) : csvText(rows);
}

const emailIn = (person: { readonly email: string; readonly is_active: boolean } | undefined) =>
  person?.is_active ? person.email : undefined;
