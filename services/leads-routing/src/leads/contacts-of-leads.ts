import { byIds, type Context } from '@crm/service';
import { namesOfLeadContacts, type ShownLeadContact } from '../names.ts';
import { contacts } from '../peers.ts';

const lines = ['first_name', 'last_name', 'email', 'mobile_phone', 'home_phone', 'office_phone'] as const;

interface ContactOfLead extends Readonly<Record<(typeof lines)[number], string | null>> {
  readonly id: number;
}

const hidden = { email: null, mobile_phone: null, home_phone: null, office_phone: null };

/** The current contacts of leads: those that the caller sees, and only the names for leads that the caller is offered. */
export async function contactsOfLeads(
  ctx: Context,
  concerned: readonly (ShownLeadContact | null | undefined)[],
): Promise<ReadonlyMap<number, ContactOfLead>> {
  const seen = await byIds(
    concerned.map((contact) => contact?.id),
    async (id) =>
      (await contacts.onBehalf(ctx).contacts.find({ id, $select: ['id', ...lines], $limit: 1000 })).data,
  );
  const offered = concerned.flatMap((contact) =>
    contact?.is_offered && !seen.has(contact.id) ? [contact] : [],
  );
  const others = await namesOfLeadContacts(ctx, offered);
  const named = [...others].map(([id, contact]): [number, ContactOfLead] => [id, { ...contact, ...hidden }]);
  return new Map<number, ContactOfLead>([...seen, ...named]);
}
