import { type Keys, keyList } from './same-person.ts';

/** A contact that rows may equal, as the import leaves it. */
export interface Known {
  readonly id: number;
  keys: Keys;
  /** The address that a row changes. */
  address: number | undefined;
}

export interface KnownContacts {
  /** Adds what the service has; of one that the import has changed since, it knows better itself. */
  meet(contact: Known): void;
  match(keys: Keys): Known | undefined;
  /** What rows that depend on one another have in common: keys, and contacts that have them. */
  tokens(keys: Keys): string[];
  /** Takes over what a row has written: what it left out stays. */
  change(contact: Known, keys: Keys): void;
  forget(id: number): void;
}

/** Contacts by what can be equal. Where several are, the oldest counts, and the e-mail address before the phone. */
export function knownContacts(): KnownContacts {
  const byId = new Map<number, Known>();
  const { having, enter, leave } = contactsByKey();
  return {
    meet(contact) {
      if (byId.has(contact.id)) return;
      byId.set(contact.id, contact);
      enter(contact);
    },
    match(keys) {
      for (const key of keyList(keys)) {
        const oldest = having(key).toSorted((a, b) => a.id - b.id)[0];
        if (oldest) return oldest;
      }
      return undefined;
    },
    tokens(keys) {
      const list = keyList(keys);
      return [...list, ...list.flatMap((key) => having(key).map(({ id }) => `#${id}`))];
    },
    change(contact, { email, phone }) {
      leave(contact);
      contact.keys = { email: email ?? contact.keys.email, phone: phone ?? contact.keys.phone };
      enter(contact);
    },
    forget(id) {
      const contact = byId.get(id);
      if (!contact) return;
      leave(contact);
      byId.delete(id);
    },
  };
}

function contactsByKey() {
  const byKey = new Map<string, readonly Known[]>();
  const having = (key: string) => byKey.get(key) ?? [];
  return {
    having,
    enter(contact: Known) {
      for (const key of keyList(contact.keys)) byKey.set(key, [...having(key), contact]);
    },
    leave(contact: Known) {
      for (const key of keyList(contact.keys)) {
        const others = having(key).filter((other) => other !== contact);
        byKey.set(key, others);
      }
    },
  };
}
