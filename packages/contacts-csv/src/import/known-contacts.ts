import { type Keys, keyList } from './same-person.ts';

/** A contact that rows may match, including what the import has changed. */
export interface Known {
  readonly id: number;
  keys: Keys;
}

export interface KnownContacts {
  /** Adds a contact. If the import has already changed it, the import's version is kept. */
  add(contact: Known): void;
  match(keys: Keys): Known | undefined;
  all(): readonly Known[];
  /** Tokens of a row: its keys, and the contacts with those keys. Rows with a common token depend on each other. */
  tokens(keys: Keys): string[];
  /** Applies what a row has written; keys that it omits are kept. */
  change(contact: Known, keys: Keys): void;
}

/** Contacts by their keys. The e-mail address is compared before the phone, and the oldest of several contacts wins. */
export function knownContacts(): KnownContacts {
  const byId = new Map<number, Known>();
  const { withKey, index, unindex } = contactsByKey();
  return {
    add(contact) {
      if (byId.has(contact.id)) return;
      byId.set(contact.id, contact);
      index(contact);
    },
    match(keys) {
      for (const key of keyList(keys)) {
        const oldest = withKey(key).toSorted((a, b) => a.id - b.id)[0];
        if (oldest) return oldest;
      }
      return undefined;
    },
    all: () => [...byId.values()],
    tokens(keys) {
      const list = keyList(keys);
      return [...list, ...list.flatMap((key) => withKey(key).map(({ id }) => `#${id}`))];
    },
    change(contact, { email, phone }) {
      unindex(contact);
      contact.keys = { email: email ?? contact.keys.email, phone: phone ?? contact.keys.phone };
      index(contact);
    },
  };
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
