import { demandSeen, findPage, implement } from '@crm/service';
import { addContacts } from './add-contacts.ts';
import { removeFromList } from './remove-from-list.ts';
import { staticListRows } from './static-list.queries.ts';
import { staticListContactApi } from './static-list-contact.api.ts';
import { flatContactRows } from './static-list-contact.queries.ts';

export const staticListContactHandlers = implement(staticListContactApi, {
  find: async (ctx, { static_list_id, ...query }) => {
    await demandSeen(ctx, staticListRows, static_list_id);
    return findPage(ctx, flatContactRows, query, { static_list_id });
  },

  add: async (ctx, { static_list_id, contacts_list }) => {
    await addContacts(ctx, static_list_id, contacts_list);
    const memberships = contacts_list.map((contact_id) => ({ contact_list_id: static_list_id, contact_id }));
    const [only, ...others] = memberships;
    return only && others.length === 0 ? only : memberships;
  },

  remove: async (ctx, { static_list_id, contact_id }) => {
    await removeFromList(ctx, static_list_id, contact_id);
    return { contact_list_id: static_list_id, contact_id };
  },
});
