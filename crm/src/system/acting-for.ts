import { type Client, createClient } from '@crm/client';
import { contactsApi } from '@crm/contacts/api';
import { printable } from '../printable.ts';
import { askIdentity } from './ask-identity.ts';
import { findSystem } from './find-system.ts';

export type Contacts = Client<typeof contactsApi>;

export interface Acting {
  readonly userId: number;
  readonly contacts: Contacts;
}

interface Errand {
  readonly user: number | string;
  readonly scope: 'read' | 'write';
  readonly name: string;
}

/** Works on behalf of a user, with an access token that ends with the work, however that ends. */
export async function actingFor<Value>(
  env: NodeJS.ProcessEnv,
  errand: Errand,
  work: (acting: Acting) => Promise<Value>,
): Promise<Value> {
  const { services } = findSystem(env);
  const { id, user_id, access_token } = await askIdentity(env, ({ tokens }) => tokens.create(errand));
  const contacts = createClient(contactsApi, { url: services.contacts, token: access_token });
  try {
    return await work({ userId: user_id, contacts });
  } finally {
    // What came of the work is worth more than this failure, which would take its place.
    await askIdentity(env, ({ tokens }) => tokens.revoke({ token: id })).catch((error: Error) => {
      const reason = printable(error.message);
      process.stderr.write(
        `Token ${id} still works; revoke it with \`crm tokens revoke ${id}\`. ${reason}\n`,
      );
    });
  }
}
