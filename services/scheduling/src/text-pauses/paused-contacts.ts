import type { Query } from '@crm/data';
import type { PeerContext } from '@crm/service';
import { nameOf } from '../dispatch/words.ts';
import { contacts, identity } from '../peers.ts';
import { type PausedNumber, pausedAfter } from './text-pause.queries.ts';

/** A contact who asked to be left alone. */
export interface PausedContact extends PausedNumber {
  readonly id: number;
  readonly name: string;
}

const atOnce = 1_000;
/** A page shows as many; the others follow when these are decided. */
const maxShown = 100;

/** The contacts whose texts are paused and about whom a user may decide now, those who have waited longest first. */
export async function pausedContactsOf(
  ctx: PeerContext & { readonly query: Query },
  userId: number,
): Promise<PausedContact[]> {
  const [user] = await identity.asSystem(ctx).actors.ofUsers({ ids: [userId] });
  if (!user) return [];
  const found: PausedContact[] = [];
  let numbers: PausedNumber[] = [];
  do {
    numbers = await pausedAfter(ctx.query, numbers.at(-1)?.number ?? '', atOnce);
    const paused = new Map(numbers.map((one) => [one.number, one]));
    const seen = await contacts
      .asSystem(ctx)
      .contacts.withMobilePhones({ user, numbers: [...paused.keys()] });
    for (const { id, mobile_phone_e164, ...names } of seen) {
      const one = paused.get(mobile_phone_e164);
      if (one) found.push({ ...one, id, name: nameOf(names, 'A contact without a name') });
    }
  } while (numbers.length === atOnce);
  return found.toSorted((a, b) => Date.parse(a.paused_at) - Date.parse(b.paused_at)).slice(0, maxShown);
}
