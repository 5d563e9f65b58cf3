import type { Answer, Call, Caller } from '@crm/client';
import { describe, expect, it } from 'vitest';
import { callersTo } from './starting-callers.ts';

const call: Call = {
  procedure: 'contacts.find',
  input: {},
  credential: undefined,
  requestId: 'waiting',
};
const answer: Answer = { text: '[]', replayed: false };

async function whileContactsStart() {
  const contacts = Promise.withResolvers<{ call: Caller }>();
  const running = Promise.resolve({ call: async () => answer });
  const others = { scheduling: running, 'campaigns-templates': running, 'leads-routing': running };
  const callers = await callersTo(() => ({ identity: running, contacts: contacts.promise, ...others }));
  return { contacts, callers };
}

describe('a call to a service that is starting', () => {
  it('waits until it has started, and those to others do not', async () => {
    const { contacts, callers } = await whileContactsStart();
    const answers: string[] = [];
    const waiting = callers.contacts(call).then(() => answers.push('contacts'));
    await callers.identity(call).then(() => answers.push('identity'));
    contacts.resolve({ call: async () => answer });
    await waiting;
    expect(answers).toEqual(['identity', 'contacts']);
  });

  it('fails if it does not start', async () => {
    const { contacts, callers } = await whileContactsStart();
    contacts.reject(new Error('A newer version has migrated the schema.'));
    await expect(callers.contacts(call)).rejects.toThrow('newer version');
  });
});
