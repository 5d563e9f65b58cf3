import { byIds, type PeerContext } from '@crm/service';
import { whole } from '../after-commit.ts';
import { type LeadContact, namesOfLeadContacts, usersById } from '../names.ts';
import { identity } from '../peers.ts';

/** An offer as stored by this service: with ids of other services' records, and only the selected fields. */
export interface OfferRow {
  readonly lead?: { readonly contact: LeadContact | null };
  readonly user?: number;
  readonly team?: number;
}

/** Adds names. A user who sees an offer sees its user, team and contact; removed ones are null. */
export const completeOffers =
  (peers: PeerContext, reading = whole) =>
  async (offers: readonly OfferRow[]) => {
    const [users, teams, contacts] = await Promise.all([
      reading(
        usersById(
          peers,
          offers.map(({ user }) => user),
        ),
      ),
      reading(
        teamsById(
          peers,
          offers.map(({ team }) => team),
        ),
      ),
      reading(
        namesOfLeadContacts(
          peers,
          offers.flatMap(({ lead }) => lead?.contact ?? []),
        ),
      ),
    ]);
    return offers.map((offer) => {
      const { lead } = offer;
      return {
        ...offer,
        ...(lead && { lead: { ...lead, contact: nameOnly(contacts.get(lead.contact?.id ?? 0)) } }),
        ...('user' in offer && { user: users.get(offer.user ?? 0) ?? null }),
        ...('team' in offer && { team: teams.get(offer.team ?? 0) ?? null }),
      };
    });
  };

const teamsById = (peers: PeerContext, wanted: Iterable<number | undefined>) =>
  byIds(wanted, async (ids) => {
    const found = await identity.asSystem(peers).teams.byIds({ ids });
    return found.map(({ id, name }) => ({ id, name }));
  });

interface Contact {
  readonly id: number;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Of the contact, an offer shows only the name. */
function nameOnly(contact: Contact | undefined) {
  if (!contact) return null;
  const { id, first_name, last_name } = contact;
  return { id, first_name, last_name };
}
