import { NotAuthenticated } from '@feathersjs/errors';
import { type KnexAdapterParams, KnexService } from '@feathersjs/knex';
import type { NewContact } from '../contact-fields.ts';
import type { Loaders } from './loaders.ts';

interface ContactParams extends KnexAdapterParams {
  user: { readonly id: number };
  loaders: Loaders;
  parts?: NewContact;
}

// biome-ignore lint/suspicious/noExplicitAny: The columns of a contact are a list, which Feathers cannot type.
export type Contact = any;

export class ContactService extends KnexService<Contact, Contact, ContactParams, Contact> {
  /** Every statement of the adapter begins here, so all of them see what the user sees: own, assigned and shared contacts. */
  override createQuery(params?: ContactParams) {
    if (!params) throw new NotAuthenticated('Contacts are read on behalf of a user.');
    const { id } = params.user;
    return super
      .createQuery(params)
      .where((one) =>
        one
          .where('contacts.owner_user_id', id)
          .orWhere('contacts.assigned_user_id', id)
          .orWhereRaw('contacts.shared_user_ids @> array[?]::int[]', [id]),
      );
  }
}
