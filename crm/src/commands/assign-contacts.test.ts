import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemForContacts } from '../../test/contacts-system.ts';

let system: Awaited<ReturnType<typeof systemForContacts>>;
beforeAll(async () => {
  system = await systemForContacts();
});
afterAll(() => system.close());

const json = async (...words: string[]) => JSON.parse((await system.crm(...words, '--json')).stdout);

describe('crm contacts assign', () => {
  it('assigns the contacts of a user who was disabled, of which the command that disables tells', async () => {
    const [lee, ben] = [await system.newUser(), await system.newUser()];
    await system.import(system.file('lee.csv', 'first_name\nAnna\nBob\n'), lee);
    const told = await system.crm('users', 'disable', lee);
    expect(told.stdout).toContain("Nobody else sees some of the user's contacts");
    const words = ['contacts', 'assign', '--from', lee, '--to', ben];
    expect(await json(...words, '--dry-run')).toMatchObject({ dry_run: true, assigned: 2, left: 0 });
    expect(await system.totalOf(ben)).toBe(0);
    expect(await json(...words)).toMatchObject({ dry_run: false, assigned: 2, left: 0 });
    expect(await system.totalOf(ben)).toBe(2);
    expect(await json(...words)).toMatchObject({ assigned: 0 });
    expect((await system.crm('users', 'disable', lee)).stdout).not.toContain('Nobody else');
  });

  it('is refused for a receiver who is unknown or disabled', async () => {
    const [lee, off] = [await system.newUser(), await system.newUser()];
    await system.crm('users', 'disable', off);
    for (const [to, reason] of [
      ['nobody@example.com', 'No user has the id or e-mail address'],
      [off, '--to must be a user whose account is enabled'],
      [lee, '--to must be another user'],
    ] as const) {
      const refused = await system.crm('contacts', 'assign', '--from', lee, '--to', to);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    }
  });
});
