import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownContacts } from '@crm/contacts-csv';
import { type ImportOrder, importFile } from '../src/commands/import-contacts.ts';
import { actingFor, type ContactsActor } from '../src/system/acting-for.ts';
import { askIdentity } from '../src/system/ask-identity.ts';
import { crmProcess, environmentWith, type Outcome, project } from './run-crm.ts';
import { newTestSystem } from './test-system.ts';

const quiet = { at: () => {}, end: () => {} };
const defaults = {
  dryRun: false,
  duplicates: 'skip',
  match: 'both',
  createMissing: false,
  today: '2026-11-22',
  mapping: new Map(),
} as const;

/** A running system without users, and what tests of import and export do with it. */
export async function systemForContacts() {
  const system = await newTestSystem();
  await system.start('--no-demo');
  const { env, folder } = system;
  let people = 0;
  const as = <Value>(user: string, work: (client: ContactsActor) => Promise<Value>) =>
    actingFor(env, { user, scope: 'write', name: 'test' }, work);
  return {
    env,
    folder,
    close: system.close,
    as,
    crm: (...words: string[]): Promise<Outcome> => crmProcess(words, env),
    newUser: async (): Promise<string> => {
      const email = `person${++people}@example.com`;
      await askIdentity(env, ({ users }) => users.create({ email }));
      return email;
    },
    idOf: async (user: string): Promise<number> => (await tokenFor(env, user)).user_id,
    /** Creates a token and returns its id; ids are assigned in order. */
    newToken: async (user: string): Promise<number> => (await tokenFor(env, user)).id,
    ...filesIn(folder),
    import: (path: string, user?: string, order: Partial<ImportOrder> = {}) =>
      importFile(env, { ...defaults, path, user, ...order }, { progress: quiet, throwIfStopped: () => {} }),
    contactsOf: (user: string) =>
      as(user, async (client) =>
        (await Array.fromAsync(ownContacts(client, {}))).flatMap(({ data }) => data),
      ),
    totalOf: (user: string) =>
      as(user, async ({ contacts }) => (await contacts.contacts.find({ $limit: 0 })).total),
    /** Polls often, so that the command is still running when it resolves. */
    untilMoreThan: (count: number, user: string): Promise<void> =>
      as(user, async ({ contacts }) => {
        while ((await contacts.contacts.find({ $limit: 0 })).total <= count) await sleep(20);
      }),
    /** Starts a command that is to be ended by a signal. */
    spawn: (...words: string[]) => spawned(env, words),
  };
}

const tokenFor = (env: NodeJS.ProcessEnv, user: string) =>
  askIdentity(env, ({ tokens }) => tokens.create({ user, name: 'test' }));

const filesIn = (folder: string) => ({
  file: (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  },
  read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
});

function spawned(env: Readonly<Record<string, string>>, words: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, ['crm/src/main.js', ...words], {
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
