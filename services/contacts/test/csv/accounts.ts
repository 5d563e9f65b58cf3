import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { User } from '@crm/auth';
import {
  type ImportOptions,
  importContacts,
  openContactsFile,
  openExport,
  ownContacts,
  type Person,
  readMapping,
} from '@crm/contacts-csv';
import { someone, teammateOf } from '@crm/testing';
import { expect } from 'vitest';
import { contactsFormat } from '../../src/contacts-format.ts';
import { contactsUnderTest } from '../harness.ts';

const quiet = { onProgress: () => {}, throwIfStopped: () => {} };
const today = '2026-11-22';
const defaults: ImportOptions = {
  today,
  dryRun: false,
  duplicates: 'skip',
  match: 'both',
  createMissing: false,
};

interface Order extends Partial<ImportOptions> {
  readonly map?: string;
}

/** The service of contacts, accounts in it, and a folder for their files. */
export async function accountsUnderTest() {
  const contacts = await contactsUnderTest();
  const folder = mkdtempSync(join(tmpdir(), 'crm-accounts-'));
  const people = new Map<number, Person>();
  const known = (user: User, email: string, first_name = '', last_name = ''): User => {
    people.set(user.id, { id: user.id, email, first_name, last_name });
    return user;
  };
  const personOf = (id: number): Person => people.get(id) ?? expect.fail(`There is no user ${id}.`);
  const clientOf = (user: User) => ({
    userId: user.id,
    contacts: contacts.as(user),
    colleagues: async () => [user.id, ...user.teammate_ids].map(personOf),
    people: async (ids: readonly number[]) => ids.map(personOf),
  });
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  return {
    ...contacts,
    emailOf: (user: User) => personOf(user.id).email,
    file,
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    agent: (email = `agent${people.size}@office.example`, ...names: readonly string[]) =>
      known(someone(), email, ...names),
    teammateOf: (...users: readonly User[]) =>
      known(teammateOf(...users), `mate${people.size}@office.example`),
    async import(user: User, path: string, { map = '', ...options }: Order = {}) {
      const opened = await openContactsFile(path, readMapping(map, contactsFormat), contactsFormat);
      return importContacts(clientOf(user), opened, { ...defaults, ...options }, quiet);
    },
    /** Imports each row for the one of the users whose e-mail address is its owner. */
    async importForOwners(users: readonly User[], path: string) {
      const named = (email: string) => users.find(({ id }) => personOf(id).email === email);
      const actAs = async (email: string) => {
        const user = named(email);
        return user && clientOf(user);
      };
      const opened = await openContactsFile(path, new Map(), contactsFormat);
      return importContacts(actAs, opened, { ...defaults, createMissing: true }, quiet);
    },
    async export(...users: readonly User[]): Promise<string> {
      const chunks: Buffer[] = [];
      const target = new Writable({
        write(chunk: Buffer, _, done) {
          chunks.push(chunk);
          done();
        },
      });
      const all = await openExport(users.length === 1 ? 'one user' : 'several users', today, contactsFormat);
      for (const user of users) await all.add(clientOf(user), quiet);
      await all.writeTo(target);
      await all.close();
      return Buffer.concat(chunks).toString();
    },
    contactsOf: async (user: User) =>
      (await Array.fromAsync(ownContacts(clientOf(user), {}))).flatMap(({ data }) => data),
    async close() {
      rmSync(folder, { recursive: true });
      await contacts.close();
    },
  };
}
