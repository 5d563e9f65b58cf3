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
  const byKey = new Map<string, Known[]>();
  const enter = (contact: Known) => {
    for (const key of keyList(contact.keys)) byKey.set(key, [...(byKey.get(key) ?? []), contact]);
  };
  const leave = (contact: Known) => {
    for (const key of keyList(contact.keys)) {
      const others = byKey.get(key)?.filter((other) => other !== contact) ?? [];
      if (others.length > 0) byKey.set(key, others);
      else byKey.delete(key);
    }
  };
  return {
    meet(contact) {
      if (byId.has(contact.id)) return;
      byId.set(contact.id, contact);
      enter(contact);
    },
    match(keys) {
      for (const key of keyList(keys)) {
        const [first, ...others] = byKey.get(key) ?? [];
        if (first) return others.reduce((oldest, other) => (other.id < oldest.id ? other : oldest), first);
      }
      return undefined;
    },
    tokens(keys) {
      const list = keyList(keys);
      return [...list, ...list.flatMap((key) => (byKey.get(key) ?? []).map(({ id }) => `#${id}`))];
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
