import { type Client, createClient } from '@crm/client';
import { contactsApi } from '@crm/contacts/api';
import type { ActingClient } from '@crm/contacts-csv';
import { identityApi } from '@crm/identity/api';
import { printable } from '../printable.ts';
import { allPages } from './all-pages.ts';
import { askIdentity } from './ask-identity.ts';
import { findSystem } from './find-system.ts';

/** With all operations of contacts. */
export interface ContactsActor extends ActingClient {
  readonly contacts: Client<typeof contactsApi>;
}

interface TokenRequest {
  readonly user: number | string;
  readonly scope: 'read' | 'write';
  readonly name: string;
}

type ActAs = (request: TokenRequest) => Promise<ContactsActor>;

/** Works on behalf of a user, with an access token that is revoked when the work ends or fails. */
export function actingFor<Value>(
  env: NodeJS.ProcessEnv,
  request: TokenRequest,
  work: (client: ContactsActor) => Promise<Value>,
): Promise<Value> {
  return actingForSeveral(env, async (actAs) => work(await actAs(request)));
}

/** Works on behalf of any number of users, with access tokens that are revoked when the work ends or fails. */
export async function actingForSeveral<Value>(
  env: NodeJS.ProcessEnv,
  work: (actAs: ActAs) => Promise<Value>,
): Promise<Value> {
  const tokens: number[] = [];
  try {
    return await work(async (request) => {
      const { id, user_id, access_token } = await askIdentity(env, (identity) =>
        identity.tokens.create(request),
      );
      tokens.push(id);
      return clientFor(env, user_id, access_token);
    });
  } finally {
    for (const id of tokens) await revoke(env, id);
  }
}

function clientFor(env: NodeJS.ProcessEnv, userId: number, token: string): ContactsActor {
  const { services } = findSystem(env);
  const identity = createClient(identityApi, { url: services.identity, token });
  return {
    userId,
    contacts: createClient(contactsApi, { url: services.contacts, token }),
    colleagues: () => allPages((page) => identity.users.find(page)),
    people: (ids) =>
      askIdentity(env, ({ users }) => allPages((page) => users.search({ ...page, id: [...ids] }))),
  };
}

/** A failure is only printed, because throwing it would hide the result or the error of the work. */
async function revoke(env: NodeJS.ProcessEnv, id: number): Promise<void> {
  await askIdentity(env, ({ tokens }) => tokens.revoke({ token: id, discard: true })).catch(
    (error: Error) => {
      const reason = printable(error.message);
      process.stderr.write(
        `Token ${id} is still valid. Revoke it with \`crm tokens revoke ${id}\`. ${reason}\n`,
      );
    },
  );
}
