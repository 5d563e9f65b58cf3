import type { Channel } from '../format.ts';
import { couldBeOne, isSameName, type PersonName, type PlainName, plainName } from './same-name.ts';
import { type Keys, keyList, type Match } from './same-person.ts';

/** A contact that rows may match, including what the import has changed. */
export interface Known {
  readonly id: number;
  /** All of them, whichever are looked up. */
  keys: Keys;
  name: PersonName;
  /** The name as it is compared, once it was. */
  plain?: PlainName | undefined;
  /** What it was opted out of because a row could be about it as well. */
  optedOut?: readonly Channel[];
}

/** The contact that a row is about. */
export interface Matched {
  readonly contact: Known;
  /** People with other names whom the row may be about as well. */
  readonly rivals: readonly Known[];
  /** All others with a key of the row whose names could be that of the row. */
  readonly alike: readonly Known[];
}

export interface KnownContacts {
  /** Adds a contact. If the import has already changed it, the import's version is kept. */
  add(contact: Known): void;
  match(keys: Keys, name: PersonName): Matched | undefined;
  all(): readonly Known[];
  /** The keys of each contact with a key. */
  linkedBy(key: string): readonly (readonly string[])[];
  /** Applies what a row has written; what it omits is kept. */
  change(contact: Known, keys: Keys, name: PersonName): void;
}

/**
 * Contacts by their keys. People who live together share an address or a phone, so of several contacts the one that has all keys
 * of the row wins, then the one with its name, then the one with its e-mail address, then the oldest. Many may have one key,
 * because it is a placeholder, so that nothing here is done for each pair of them.
 */
export function knownContacts(match: Match): KnownContacts {
  const byId = new Map<number, Known>();
  const { withKey, index, unindex } = contactsByKey(match);
  return {
    add(contact) {
      if (byId.has(contact.id)) return;
      byId.set(contact.id, contact);
      index(contact);
    },
    match(keys, name) {
      const [first = [], second] = keyList(keys, match).map(withKey);
      return bestOf(second ? [...new Set([...first, ...second])] : first, keys, name);
    },
    all: () => [...byId.values()],
    linkedBy: (key) => withKey(key).map((contact) => keyList(contact.keys, match)),
    change(contact, { email, phone }, { first_name, last_name }) {
      unindex(contact);
      const { keys } = contact;
      contact.keys = {
        email: email === undefined ? keys.email : email,
        phone: phone === undefined ? keys.phone : phone,
      };
      contact.name = {
        first_name: first_name === undefined ? contact.name.first_name : first_name,
        last_name: last_name === undefined ? contact.name.last_name : last_name,
      };
      contact.plain = undefined;
      index(contact);
    },
  };
}

function bestOf(found: readonly Known[], { email, phone }: Keys, name: PersonName): Matched | undefined {
  if (found.length === 0) return undefined;
  const own = plainName(name);
  const whole = found.filter(
    ({ keys }) => (email ?? keys.email) === keys.email && (phone ?? keys.phone) === keys.phone,
  );
  const likely = whole.length > 0 ? whole : found;
  const named = [isSameName, couldBeOne]
    .map((isAlike) => likely.filter((one) => isAlike(plainOf(one), own)))
    .find((some) => some.length > 0);
  const [contact, ...others] = named ?? likely;
  if (!contact) return undefined;
  const alike = found.filter((one) => one !== contact && couldBeOne(plainOf(one), own));
  // The row has the name of one contact and more keys of another.
  const rivals = [...others, ...(named ? [] : alike)].filter(
    (one) => !couldBeOne(plainOf(one), plainOf(contact)),
  );
  return { contact, rivals, alike };
}

function plainOf(contact: Known): PlainName {
  contact.plain ??= plainName(contact.name);
  return contact.plain;
}

function contactsByKey(match: Match) {
  /** With each key the oldest first. */
  const byKey = new Map<string, Known[]>();
  const none: readonly Known[] = [];
  return {
    withKey: (key: string): readonly Known[] => byKey.get(key) ?? none,
    index(contact: Known) {
      for (const key of keyList(contact.keys, match)) {
        const some = byKey.get(key);
        if (!some) byKey.set(key, [contact]);
        // Almost always the last one.
        else some.splice(some.findLastIndex(({ id }) => id < contact.id) + 1, 0, contact);
      }
    },
    unindex(contact: Known) {
      for (const key of keyList(contact.keys, match)) {
        const some = byKey.get(key);
        some?.splice(some.indexOf(contact), 1);
      }
    },
  };
}
