import { noRecord } from '@crm/contract';
import {
  answerWith,
  type Context,
  completePage,
  completeText,
  findPage,
  getRecord,
  implement,
  inSteps,
} from '@crm/service';
import { contacts } from '../peers.ts';
import { communicationApi } from './communication.api.ts';
import { communicationRows } from './communication.queries.ts';
import { type CommunicationRow, loadPeople, withIds } from './load-people.ts';
import { markCommunication } from './mark-communication.ts';

export const communicationHandlers = implement(communicationApi, {
  find: async (ctx, { contact_id, load, ...query }) => {
    await demandContact(ctx, contact_id);
    const select = withIds(query.select, load);
    const page = findPage(ctx, communicationRows, { ...query, select }, { contact_id });
    return load.length > 0
      ? completePage(page, (rows: readonly CommunicationRow[]) => loadPeople(ctx, load, rows))
      : page;
  },

  get: async (ctx, { contact_id, $load = [], $select, ...query }) => {
    await demandContact(ctx, contact_id);
    const select = withIds($select, $load);
    const record = getRecord(
      ctx,
      communicationRows,
      { ...query, ...(select && { $select: select }) },
      { contact_id },
    );
    return $load.length > 0
      ? completeText(record, (rows: readonly CommunicationRow[]) => loadPeople(ctx, $load, rows))
      : record;
  },

  patch: inSteps(communicationApi.patch, {
    ask: (ctx, { contact_id }) => demandContact(ctx, contact_id),
    act: async (ctx, { $select, is_active, ...wanted }) => {
      await markCommunication(ctx, wanted, is_active);
      return answerWith(ctx, communicationRows, wanted.id);
    },
  }),
});

/** A contact that the caller cannot see is refused like one that does not exist. */
async function demandContact(ctx: Context, contact_id: number): Promise<void> {
  const seen = await contacts.onBehalf(ctx).contacts.access({ ids: [contact_id] });
  if (seen.length === 0) throw noRecord(contact_id);
}
