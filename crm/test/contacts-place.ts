import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ImportOrder, importContacts } from '../src/contacts-import/import-contacts.ts';
import { type Acting, actingFor } from '../src/system/acting-for.ts';
import { askIdentity } from '../src/system/ask-identity.ts';
import { ownContacts } from '../src/system/own-contacts.ts';
import { crm, environmentWith, type Outcome, project } from './run-crm.ts';
import { placeForSystems } from './started-system.ts';

const quiet = { note: () => {}, at: () => {}, end: () => {} };
const usual = { dryRun: false, duplicates: 'skip', match: 'both', mapping: new Map() } as const;

/** A running system without people, and what tests of import and export do there. */
export async function placeForContacts() {
  const place = await placeForSystems();
  await place.start('--no-demo');
  const { env, folder } = place;
  let people = 0;
  const as = <Value>(user: string, work: (acting: Acting) => Promise<Value>) =>
    actingFor(env, { user, scope: 'write', name: 'test' }, work);
  return {
    env,
    folder,
    leave: place.leave,
    as,
    crm: (...words: string[]): Promise<Outcome> => crm(words, env),
    newUser: async (): Promise<string> => {
      const email = `person${++people}@example.com`;
      await askIdentity(env, ({ users }) => users.create({ email, password: 'long enough' }));
      return email;
    },
    /** Makes one and answers its id; ids are given in order. */
    newToken: async (user: string): Promise<number> =>
      (await askIdentity(env, ({ tokens }) => tokens.create({ user, name: 'test' }))).id,
    file: (name: string, content: string | Buffer): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
    import: (path: string, user: string, order: Partial<ImportOrder> = {}) =>
      importContacts(env, { ...usual, path, user, ...order }, { advance: quiet, mayContinue: () => {} }),
    contactsOf: (user: string) =>
      as(user, async (acting) =>
        (await Array.fromAsync(ownContacts(acting, {}))).flatMap(({ data }) => data),
      ),
    totalOf: (user: string) =>
      as(user, async ({ contacts }) => (await contacts.contacts.find({ $limit: 0 })).total),
    /** Asks often, so that what is under way is caught in its middle. */
    untilMoreThan: (count: number, user: string): Promise<void> =>
      as(user, async ({ contacts }) => {
        while ((await contacts.contacts.find({ $limit: 0 })).total <= count) await sleep(20);
      }),
    /** Begins a command, to be ended by a signal. */
    begin: (...words: string[]) => begun(env, words),
  };
}

function begun(env: Readonly<Record<string, string>>, words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ['crm/src/main.ts', ...words], {
    cwd: project,
    env: environmentWith(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const stdout = child.stdout ? text(child.stdout) : Promise.resolve('');
  return {
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      const [code] = await ended;
      return { code: code as number | null, stdout: await stdout };
    },
  };
}
