import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { z } from 'zod';
import { namedFilter, readFilter } from '../contacts/conditions-on.ts';
import { afterContact, findContacts } from '../contacts/find-contacts.ts';
import { maxContacts } from './bulk-operation.api.ts';

interface ContactSelection {
  readonly contact_ids?: readonly number[] | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The ids of the contacts of an operation: those that were sent, or those that match a filter now. All operations use the same
 * order, in which contacts are locked.
 */
export async function selectedContacts(
  ctx: Context,
  { contact_ids, filter }: ContactSelection,
): Promise<number[]> {
  if ((contact_ids === undefined) === (filter === undefined))
    throw invalidField('filter', 'is required unless contact_ids is given, and only one of them is allowed');
  if (contact_ids) return [...new Set(contact_ids)].sort((a, b) => a - b);
  const ids = await namedFilter(() => listed(ctx, filter ?? {}));
  if (ids.length > maxContacts)
    throw invalidField('filter', `matches more than ${maxContacts} contacts; use several operations`);
  return ids;
}

/**
 * The same conditions as those of the list. But a search finds the exact words only: when an operation is sent again,
 * perhaps no contact has them, and those with similar words are other people.
 */
async function listed(ctx: Context, filter: Readonly<Record<string, unknown>>): Promise<number[]> {
  const all = { ...afterContact(0), select: ['id'], limit: maxContacts + 1 };
  const page = await findContacts(ctx, { ...readFilter(filter), ...all }, { similar: false });
  return Page.parse(JSON.parse(page.text)).data.map(({ id }) => id);
}

const Page = z.object({ data: z.array(z.object({ id: z.int() })) });
