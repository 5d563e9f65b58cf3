import type { User } from '@crm/auth';
import { type ImportRun, isRehearsedId, type ReadyRow } from '@crm/contacts-csv';
import { invalidFields } from '@crm/contract';
import type { Query } from '@crm/data';
import { seenAmong } from '../contacts/contact-access.queries.ts';
import { checkRows, type Errors, type ImportedRow } from '../imported-rows/check-rows.ts';

type Writer = ImportRun['writer'];

/**
 * The writer of a dry run of lines of JSON, which checks their references as the import does. A row of CSV names what it refers
 * to, and is checked when it is read.
 */
export function rehearsingLines(query: Query, user: User, writer: Writer): Writer {
  const check = (drafts: readonly ReadyRow['draft'][]): Promise<Errors[]> =>
    checkRows(
      { query, user },
      // Each was read by the schema of a contact.
      drafts.map((draft) => ({ key: '', contact: draft as ImportedRow['contact'], shared_with: [] })),
    );
  return {
    ...writer,
    async create(rows) {
      const errors = await check(rows.map(({ draft }) => draft));
      const written = await writer.create(rows);
      // A row that was imported before is not checked again.
      const isKnown = (one: (typeof written)[number]) => 'isNew' in one && !one.isNew;
      return written.map((one, index) =>
        isKnown(one) || isEmpty(errors[index]) ? one : { errors: errors[index] ?? {} },
      );
    },
    async change(contact, row) {
      const [errors = {}] = await check([row.changes]);
      // An assignee who stays is not checked.
      if (errors.assigned_user_id !== undefined) {
        const assignee = await assigneeOf(query, user, contact.id);
        if (assignee === row.changes.assigned_user_id) delete errors.assigned_user_id;
      }
      if (!isEmpty(errors)) throw invalidFields({ errors });
      await writer.change(contact, row);
    },
  };
}

const isEmpty = (errors: Errors | undefined) => Object.keys(errors ?? {}).length === 0;

/** Who a contact is assigned to; undefined for one that the dry run would have added. */
async function assigneeOf(query: Query, user: User, id: number): Promise<number | null | undefined> {
  if (isRehearsedId(id)) return undefined;
  const [contact] = await seenAmong(query, user, [id]);
  return contact?.assigned_user_id;
}
