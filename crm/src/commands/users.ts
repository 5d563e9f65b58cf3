import { contactsApi } from '@crm/contacts/api';
import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { readPassword } from '../read-password.ts';
import { allPages } from '../system/all-pages.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { askService } from '../system/ask-service.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';

export interface NewUser {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly timezone?: string;
  readonly password?: string;
  readonly invite?: boolean;
  readonly broker?: boolean;
  readonly subAccountOf?: string;
}

export async function createUser(env: NodeJS.ProcessEnv, given: NewUser): Promise<Report> {
  const { invite = false, password = invite ? undefined : await readPassword() } = given;
  const draft = {
    email: given.email,
    first_name: given.firstName,
    last_name: given.lastName,
    phone: given.phone,
    timezone: given.timezone,
    password,
    invite,
    is_broker: given.broker ?? false,
    ...(given.subAccountOf !== undefined && { sub_account_of: idOr(given.subAccountOf) }),
  };
  const user = await askIdentity(env, (identity) => identity.users.create(draft));
  return {
    json: user,
    text: `Created user ${user.id}, ${printable(user.email)}.${invite ? ' The invitation is on its way.' : ''}`,
  };
}

export async function listUsers(env: NodeJS.ProcessEnv): Promise<Report> {
  const data = await askIdentity(env, ({ users }) => allPages((page) => users.search(page)));
  const rows = data.map((user) => [
    user.id,
    user.email,
    [user.first_name, user.last_name].filter(Boolean).join(' '),
    user.timezone,
    user.is_broker ? 'broker' : 'agent',
    user.is_active ? 'active' : 'disabled',
  ]);
  const text = tableOf(['Id', 'E-mail', 'Name', 'Time zone', 'Role', 'State'], rows);
  return { json: { total: data.length, data }, text };
}

export async function disableUser(env: NodeJS.ProcessEnv, named: string): Promise<Report> {
  const user = await askIdentity(env, ({ users }) => users.disable({ user: idOr(named) }));
  const names = user.applications.map(({ id, name }) => `${printable(name)} (${id})`);
  const stopped = `\nThese applications do not work until it is enabled: ${names.join(', ')}`;
  const unseen = await hasUnseenContacts(env, user.id);
  const advice = `\nNobody else sees some of the user's contacts: see crm contacts assign and docs/operations/leaving.md.`;
  return {
    json: user,
    text: `User ${user.id}, ${printable(user.email)}, is disabled.${names.length > 0 ? stopped : ''}${unseen ? advice : ''}`,
  };
}

/** Only for advice: the account is disabled whether or not contacts responds. */
const hasUnseenContacts = (env: NodeJS.ProcessEnv, user_id: number): Promise<boolean> =>
  askService(env, 'contacts', contactsApi, ({ assignments }) => assignments.isNeeded({ user_id })).catch(
    () => false,
  );

export async function enableUser(env: NodeJS.ProcessEnv, named: string): Promise<Report> {
  const user = await askIdentity(env, ({ users }) => users.enable({ user: idOr(named) }));
  return { json: user, text: `User ${user.id}, ${printable(user.email)}, is enabled.` };
}

export async function changePassword(
  env: NodeJS.ProcessEnv,
  named: string,
  given: { readonly password?: string },
): Promise<Report> {
  const password = given.password ?? (await readPassword());
  const user = await askIdentity(env, ({ users }) => users.changePassword({ user: idOr(named), password }));
  const text = `User ${user.id}, ${printable(user.email)}, has a new password. All access tokens are revoked.`;
  return { json: user, text };
}

/** The word "none" removes the number. */
export async function changePhone(env: NodeJS.ProcessEnv, named: string, given: string): Promise<Report> {
  const change = { user: idOr(named), phone: given === 'none' ? null : given };
  const user = await askIdentity(env, ({ users }) => users.change(change));
  const text = `User ${user.id}, ${printable(user.email)}, has ${user.phone ? `the phone number ${user.phone}` : 'no phone number'}.`;
  return { json: user, text };
}

/** Checked here, because the contract expects a boolean. */
export async function changeBroker(env: NodeJS.ProcessEnv, named: string, word: string): Promise<Report> {
  if (word !== 'on' && word !== 'off') throw new Unable('Usage', 'The broker status must be "on" or "off".');
  const change = { user: idOr(named), is_broker: word === 'on' };
  const user = await askIdentity(env, ({ users }) => users.change(change));
  const text = `User ${user.id}, ${printable(user.email)}, is ${user.is_broker ? 'a broker' : 'not a broker'}.`;
  return { json: user, text };
}
