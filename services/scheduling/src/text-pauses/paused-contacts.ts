import type { Query } from '@crm/data';
import { nameOf } from '@crm/delivery';
import type { PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import { pausedAmong } from './text-pause.queries.ts';

/** A contact who asked to be left alone. */
export interface PausedContact {
  readonly id: number;
  readonly name: string;
  readonly number: string;
  readonly paused_at: string;
  /** The words of the text, if the user sees a contact for whom it is recorded: others may have entered the number. */
  readonly words: string | null;
}

/** The maximum number on a page; the others follow when these are decided. */
const maxShown = 100;

/** The contacts with paused texts about whom a user may decide now, longest waiting first. */
export async function pausedContactsOf(
  ctx: PeerContext & { readonly query: Query },
  userId: number,
): Promise<PausedContact[]> {
  const [user] = await identity.asSystem(ctx).actors.ofUsers({ ids: [userId] });
  if (!user) return [];
  const seen = await contacts.asSystem(ctx).contacts.withPausedTexts({ user, limit: maxShown });
  const ids = new Set(seen.map(({ id }) => id));
  const numbers = await pausedAmong(
    ctx.query,
    seen.map(({ mobile_phone_e164 }) => mobile_phone_e164),
  );
  const paused = new Map(numbers.map((one) => [one.number, one]));
  return seen.flatMap(({ id, mobile_phone_e164, ...names }) => {
    const one = paused.get(mobile_phone_e164);
    if (!one) return [];
    const { number, paused_at, contact_ids } = one;
    const words = contact_ids.some((contactId) => ids.has(contactId)) ? one.words : null;
    return [{ id, name: nameOf(names, 'A contact without a name'), number, paused_at, words }];
  });
}
