import type { Context } from '@crm/service';
import { whole } from '../after-commit.ts';
import { type ShownLeadContact, usersById } from '../names.ts';
import { contactsOfLeads } from './contacts-of-leads.ts';

/** A lead as stored by this service: with ids of other services' records, and only the selected fields. */
export interface LeadRow {
  readonly id: number;
  readonly assigned_to_user?: number | null;
  readonly created_by_user?: number;
  readonly contact?: ShownLeadContact | null;
}

/** Adds the current names. A removed contact is null immediately. */
export const completeLeads =
  (ctx: Context, reading = whole) =>
  async (leads: readonly LeadRow[]) => {
    const [users, contacts] = await Promise.all([
      reading(
        usersById(
          ctx,
          leads.flatMap((lead) => [lead.assigned_to_user, lead.created_by_user]),
        ),
      ),
      reading(
        contactsOfLeads(
          ctx,
          leads.map((lead) => lead.contact),
        ),
      ),
    ]);
    return leads.map((lead) => ({
      ...lead,
      ...('assigned_to_user' in lead && { assigned_to_user: users.get(lead.assigned_to_user ?? 0) ?? null }),
      ...('created_by_user' in lead && { created_by_user: creator(users.get(lead.created_by_user ?? 0)) }),
      ...('contact' in lead && { contact: contacts.get(lead.contact?.id ?? 0) ?? null }),
    }));
  };

type Person = Awaited<ReturnType<typeof usersById>> extends ReadonlyMap<number, infer One> ? One : never;

const creator = (user: Person | undefined) =>
  user ? { id: user.id, first_name: user.first_name, last_name: user.last_name } : null;
