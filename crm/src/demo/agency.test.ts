import { contactsApi } from '@crm/contacts/api';
import { describe, expect, it } from 'vitest';
import { agency, contactsEach, demoContact } from './agency.ts';

const contacts = agency.people.flatMap((_, owner) =>
  Array.from({ length: contactsEach }, (_, index) => demoContact(owner, index)),
);

describe('the demo agency', () => {
  it('has a broker and four agents', () => {
    const roles = agency.people.map(({ role }) => role);
    expect(roles).toEqual(['broker', 'agent', 'agent', 'agent', 'agent']);
  });

  it('has contacts that the contract accepts', () => {
    for (const contact of contacts)
      expect(contactsApi.contacts.create.input.safeParse(contact).error).toBeUndefined();
  });

  it('has contacts with distinct e-mail addresses', () => {
    expect(new Set(contacts.map(({ email }) => email)).size).toBe(contacts.length);
  });

  it('is the same at every start, so that an interrupted seeding can be resumed', () => {
    expect(demoContact(2, 3)).toEqual(demoContact(2, 3));
  });
});
