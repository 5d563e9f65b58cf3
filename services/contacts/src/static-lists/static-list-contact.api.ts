import { find, id, notFound, operation, pageOf } from '@crm/contract';
import { z } from 'zod';
import { ContactView } from '../contacts/contact.api.ts';

/** A contact without nested records. */
export const FlatContactView = ContactView.omit({
  addresses: true,
  hotness: true,
  custom_fields: true,
  source: true,
});

const Membership = z.object({ contact_list_id: id, contact_id: id });

const contactsList = z
  .array(id, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of contact ids'),
  })
  .min(1, { error: 'must contain at least one id' })
  .max(1000, { error: 'must have at most 1000 ids' });

const static_list_id = id;

export const staticListContactApi = {
  find: operation({
    rest: 'GET /static-lists/:static_list_id/contacts',
    summary: 'List the contacts of a static list that the caller may see',
    input: find(FlatContactView, { own: { static_list_id } }),
    output: pageOf(FlatContactView),
    refuses: [notFound],
  }),
  add: operation({
    rest: 'POST /static-lists/:static_list_id/contacts',
    summary: 'Add contacts to a static list; contacts already on it stay there',
    input: z.object({ static_list_id, contacts_list: contactsList }),
    output: z
      .union([Membership, z.array(Membership)])
      .describe('One membership for one id, a list of memberships for several'),
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /static-lists/:static_list_id/contacts/:contact_id',
    summary: 'Remove a contact from a static list, but not the contact itself',
    input: z.object({ static_list_id, contact_id: id }),
    output: Membership,
    refuses: [notFound],
  }),
};
