import { find, id, notFound, operation, pageOf } from '@crm/contract';
import { z } from 'zod';
import { ContactView } from '../contacts/contact.api.ts';

/** A contact without what hangs on it. */
export const FlatContactView = ContactView.omit({
  addresses: true,
  hotness: true,
  custom_fields: true,
  source: true,
});

const Membership = z.object({ contact_list_id: id, contact_id: id });

const contactsList = z
  .array(id, {
    error: ({ input }) => (input === undefined ? 'is required' : 'must be a list of ids of contacts'),
  })
  .min(1, { error: 'must name at least one contact' })
  .max(1000, { error: 'must name at most 1000 contacts' });

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
    summary: 'Put contacts on a static list; those that are on it already stay',
    input: z.object({ static_list_id, contacts_list: contactsList }),
    output: z
      .union([Membership, z.array(Membership)])
      .describe('For one id what was made of it, for several a list of that'),
    refuses: [notFound],
  }),
};
