import {
  type ActingClient,
  type Contact,
  type ImportRun,
  isRehearsedId,
  matchAddresses,
} from '@crm/contacts-csv';
import { demandRoomAmong } from '../contacts/write-addresses.ts';

type Writer = ImportRun['writer'];

/** The writer of a dry run that refuses a row whose contact has no room for its addresses. */
export function rehearsingAddresses({ contacts }: ActingClient, writer: Writer): Writer {
  /** The addresses that contacts would have by now. */
  const changed = new Map<number, Contact['addresses']>();
  const addressesOf = async (id: number) =>
    changed.get(id) ?? (await contacts.contacts.get({ id, $select: ['addresses', 'modified_at'] })).addresses;
  return {
    ...writer,
    async change(contact, row) {
      const { id } = contact;
      // The service does not know a contact that the dry run would have added.
      if (row.changes.addresses === undefined || isRehearsedId(id)) return writer.change(contact, row);
      const stored = await addressesOf(id);
      const sent = matchAddresses(stored, row);
      const added = sent.filter((address) => address.id === undefined);
      demandRoomAmong(stored.length, added.length);
      await writer.change(contact, row);
      changed.set(id, [
        ...stored.map((address) => ({ ...address, ...sent.find((one) => one.id === address.id) })),
        // Their ids are those of no other address.
        ...added.map((address, index) => ({ type: null, ...address, id: -stored.length - index })),
      ]);
    },
  };
}
