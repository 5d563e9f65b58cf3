import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { readPassword } from '../read-password.ts';
import { askIdentity } from '../system/ask-identity.ts';

export interface NewUser {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly timezone?: string;
  readonly password?: string;
  readonly broker?: boolean;
}

export async function createUser(env: NodeJS.ProcessEnv, given: NewUser): Promise<Report> {
  const password = given.password ?? (await readPassword());
  const draft = {
    email: given.email,
    first_name: given.firstName,
    last_name: given.lastName,
    timezone: given.timezone,
    password,
    is_broker: given.broker ?? false,
  };
  const user = await askIdentity(env, (identity) => identity.users.create(draft));
  return { json: user, text: `Added ${printable(user.email)} as user ${user.id}.` };
}

export async function listUsers(env: NodeJS.ProcessEnv): Promise<Report> {
  const page = await askIdentity(env, async (identity) => {
    const data = [];
    for (;;) {
      const { total, data: next } = await identity.users.find({ $limit: 1000, $skip: data.length });
      data.push(...next);
      if (next.length === 0 || data.length >= total) return { total, data };
    }
  });
  const rows = page.data.map((user) => [
    user.id,
    user.email,
    [user.first_name, user.last_name].filter(Boolean).join(' '),
    user.timezone,
    user.is_broker ? 'broker' : 'agent',
  ]);
  return { json: page, text: tableOf(['Id', 'E-mail', 'Name', 'Time zone', 'Role'], rows) };
}
