import { couldBeOne, isSameName, type PersonName } from './same-name.ts';
import { type Keys, keyList } from './same-person.ts';

/** A contact that rows may match, including what the import has changed. */
export interface Known {
  readonly id: number;
  keys: Keys;
  name: PersonName;
}

/** The contact that a row is about. */
export interface Matched {
  readonly contact: Known;
  /** People with other names whom the row may be about as well. */
  readonly rivals: readonly Known[];
}

export interface KnownContacts {
  /** Adds a contact. If the import has already changed it, the import's version is kept. */
  add(contact: Known): void;
  match(keys: Keys, name: PersonName): Matched | undefined;
  all(): readonly Known[];
  /** Tokens of a row: its keys, and the contacts with those keys. Rows with a common token depend on each other. */
  tokens(keys: Keys): string[];
  /** Applies what a row has written; what it omits is kept. */
  change(contact: Known, keys: Keys, name: PersonName): void;
}

/**
 * Contacts by their keys. People who live together share an address or a phone, so of several contacts the one that has all keys
 * of the row wins, then the one with its name, then the one with its e-mail address, then the oldest.
 */
export function knownContacts(): KnownContacts {
  const byId = new Map<number, Known>();
  const { withKey, index, unindex } = contactsByKey();
  return {
    add(contact) {
      if (byId.has(contact.id)) return;
      byId.set(contact.id, contact);
      index(contact);
    },
    match(keys, name) {
      const wanted = keyList(keys);
      const oldestFirst = (key: string) => withKey(key).toSorted((a, b) => a.id - b.id);
      return bestOf([...new Set(wanted.flatMap(oldestFirst))], wanted, name);
    },
    all: () => [...byId.values()],
    tokens(keys) {
      const list = keyList(keys);
      return [...list, ...list.flatMap((key) => withKey(key).map(({ id }) => `#${id}`))];
    },
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
      index(contact);
    },
  };
}

function bestOf(found: readonly Known[], wanted: readonly string[], name: PersonName): Matched | undefined {
  const whole = found.filter((one) => wanted.every((key) => keyList(one.keys).includes(key)));
  const likely = whole.length > 0 ? whole : found;
  const named = [isSameName, couldBeOne]
    .map((isAlike) => likely.filter((one) => isAlike(one.name, name)))
    .find((some) => some.length > 0);
  const [contact, ...others] = named ?? likely;
  if (!contact) return undefined;
  // The row has the name of one contact and more keys of another.
  const namesakes = named ? [] : found.filter((one) => couldBeOne(one.name, name));
  const rivals = [...others, ...namesakes].filter((one) => !couldBeOne(one.name, contact.name));
  return { contact, rivals };
}

function contactsByKey() {
  const byKey = new Map<string, readonly Known[]>();
  const none: readonly Known[] = [];
  const withKey = (key: string) => byKey.get(key) ?? none;
  return {
    withKey,
    index(contact: Known) {
      for (const key of keyList(contact.keys)) byKey.set(key, [...withKey(key), contact]);
    },
    unindex(contact: Known) {
      for (const key of keyList(contact.keys)) {
        const others = withKey(key).filter((other) => other !== contact);
        byKey.set(key, others);
      }
    },
  };
}
