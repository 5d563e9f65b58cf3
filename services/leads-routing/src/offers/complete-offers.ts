import { byIds, type PeerContext } from '@crm/service';
import { contactsById, usersById } from '../names.ts';
import { identity } from '../peers.ts';

/** An offer as this service knows it: ids in the places of what others keep, and no places that nobody asked for. */
export interface OfferRow {
  readonly lead?: { readonly contact: number | null };
  readonly user?: number;
  readonly team?: number;
}

/** Adds what the others know. Whoever sees an offer sees whom and what it is about, and null for what is gone. */
export async function completeOffers(peers: PeerContext, offers: readonly OfferRow[]) {
  const [users, teams, contacts] = await Promise.all([
    usersById(
      peers,
      offers.map(({ user }) => user),
    ),
    byIds(
      offers.map(({ team }) => team),
      async (ids) => {
        const found = await identity.asSystem(peers).teams.byIds({ ids });
        return found.map(({ id, name }) => ({ id, name }));
      },
    ),
    contactsById(
      peers,
      offers.map(({ lead }) => lead?.contact),
    ),
  ]);
  return offers.map((offer) => {
    const { lead } = offer;
    return {
      ...offer,
      ...(lead && { lead: { ...lead, contact: nameOnly(contacts.get(lead.contact ?? 0)) } }),
      ...('user' in offer && { user: users.get(offer.user ?? 0) ?? null }),
      ...('team' in offer && { team: teams.get(offer.team ?? 0) ?? null }),
    };
  });
}

interface Contact {
  readonly id: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** An offer says who a lead is about, and no more before it is claimed. */
function nameOnly(contact: Contact | undefined) {
  if (!contact) return null;
  const { id, first_name, last_name } = contact;
  return { id, first_name, last_name };
}
