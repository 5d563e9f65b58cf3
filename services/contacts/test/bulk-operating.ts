import type { User } from '@crm/auth';
import { joinTeam } from '@crm/testing';
import type { z } from 'zod';
import type { bulkOperationApi } from '../src/bulk-operations/bulk-operation.api.ts';
import { carryOutDue } from '../src/bulk-operations/carry-out.ts';
import { contactsWithIdentity } from './with-identity.ts';

export type BulkRequest = z.input<typeof bulkOperationApi.create.input>;

/** The service with its bulk operations, which are carried out when a test says so. */
export async function bulkOperating() {
  const contacts = await contactsWithIdentity();
  const { person } = contacts;

  const carryOut = () => carryOutDue(contacts.workerContext, new AbortController().signal);
  const ask = (user: User, request: BulkRequest) => contacts.as(user).bulkOperations.create(request);

  /** The operation when everything was carried out. */
  async function done(user: User, request: BulkRequest) {
    const { id } = await ask(user, request);
    await carryOut();
    return contacts.as(user).bulkOperations.get({ id });
  }

  async function add(user: User, names: readonly string[], more: object = {}): Promise<number[]> {
    const ids = [];
    for (const first_name of names)
      ids.push((await contacts.as(user).contacts.create({ first_name, ...more })).id);
    return ids;
  }

  /** Two teammates, and the first one as of now. */
  async function team() {
    const [anna, ben] = [await person(), await person()];
    const { id } = await contacts.identity.as(anna).teams.create({ name: 'North' });
    await joinTeam(contacts.identity, id, ben);
    const leave = () => contacts.identity.asSystem.teamMembers.remove({ team_id: id, user_id: ben.id });
    return { anna: await contacts.now(anna), ben: await contacts.now(ben), leave };
  }

  return { ...contacts, carryOut, ask, done, add, team };
}
