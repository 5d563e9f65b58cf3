import type { User } from '@crm/auth';
import { delegationEnded } from '@crm/events';
import { someone } from '@crm/testing';
import { expect } from 'vitest';
import { undoDue } from '../src/shares/undo-delegations.ts';
import type { contactsUnderTest } from './harness.ts';

/** Makes agents with a teammate, and the same agents as their brokers act, who are also in their teams. */
export function officesIn(contacts: Awaited<ReturnType<typeof contactsUnderTest>>) {
  let delegations = 0;
  const undone = () => contacts.rows('select from delegations where undo_due_at is not null');

  return () => {
    const [kim, ben] = [someone({ is_broker: true }), someone()];
    const lee: User = { ...someone(), teammate_ids: [kim.id, ben.id] };
    delegations += 1;
    const acting: User = { ...lee, act: { id: kim.id, delegation_id: delegations } };
    const data = { delegation_id: delegations, broker_user_id: kim.id, user_id: lee.id };
    const end = async () => {
      await contacts.deliver(delegationEnded, data);
      await undoDue(contacts.workerContext, new AbortController().signal);
      // Unless a worker is at it.
      await expect.poll(undone).toEqual([]);
    };
    return { kim, ben, lee, acting, end };
  };
}
