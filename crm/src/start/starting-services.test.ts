import type { Answer, Call, CallService } from '@crm/client';
import { describe, expect, it } from 'vitest';
import { servicesTo } from './starting-services.ts';

const call: Call = {
  procedure: 'contacts.find',
  input: {},
  credential: undefined,
  requestId: 'waiting',
};
const answer: Answer = { text: '[]', replayed: false };

function whileContactsStart() {
  const contacts = Promise.withResolvers<{ call: CallService }>();
  const running = Promise.resolve({ call: async () => answer });
  const others = { scheduling: running, 'campaigns-templates': running, 'leads-routing': running };
  const services = servicesTo(() => ({ identity: running, contacts: contacts.promise, ...others }));
  return { contacts, services };
}

describe('a call to a service that is starting', () => {
  it('waits until it has started, while calls to others do not', async () => {
    const { contacts, services } = whileContactsStart();
    const answers: string[] = [];
    const waiting = services.contacts(call).then(() => answers.push('contacts'));
    await services.identity(call).then(() => answers.push('identity'));
    contacts.resolve({ call: async () => answer });
    await waiting;
    expect(answers).toEqual(['identity', 'contacts']);
  });

  it('fails if it does not start', async () => {
    const { contacts, services } = whileContactsStart();
    contacts.reject(new Error('A newer version has migrated the schema.'));
    await expect(services.contacts(call)).rejects.toThrow('newer version');
  });
});
