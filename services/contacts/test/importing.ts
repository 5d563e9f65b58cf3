import type { User } from '@crm/auth';
import { runDue } from '../src/imports/run-imports.ts';
import { contactsService } from '../src/index.ts';
import { contactsWithIdentity } from './with-identity.ts';

/** The service with files of contacts, which are imported when a test says so. */
export async function importing() {
  const contacts = await contactsWithIdentity();
  const run = () => runDue(contacts.workerContext, contactsService.procedures, new AbortController().signal);

  /** Sends a file in parts of some characters. */
  async function send(
    user: User,
    text: string,
    options: ImportOptions = {},
    size = 100_000,
  ): Promise<number> {
    const { id } = await contacts.as(user).imports.create(options);
    const { receive } = contacts.asSystem.imports;
    let index = 0;
    for (; index * size < text.length; index++)
      await receive({ id, index, text: text.slice(index * size, (index + 1) * size), is_last: false });
    await receive({ id, index, text: '', is_last: true });
    return id;
  }

  return {
    ...contacts,
    run,
    send,
    /** The import when everything was done. */
    async done(user: User, text: string, options: ImportOptions = {}, size?: number) {
      const id = await send(user, text, options, size);
      await run();
      return contacts.as(user).imports.get({ id });
    },
    ofUser: async (user: User) =>
      (await contacts.as(user).contacts.find({ $limit: 1000, $sort: { id: 1 } })).data,
    errorsOf: async (user: User, id: number) => (await contacts.as(user).imports.errors({ id })).text,
  };
}

type Contacts = Awaited<ReturnType<typeof contactsWithIdentity>>;
export type ImportOptions = Parameters<ReturnType<Contacts['as']>['imports']['create']>[0];

export const people = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `Anna ${from + n},anna${from + n}@example.com`);

export const csv = (lines: readonly string[]): string => ['First Name,Email', ...lines].join('\r\n');
