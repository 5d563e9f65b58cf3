import { conditionOf } from '@crm/auth';
import { implement } from '@crm/service';
import { z } from 'zod';
import { mayAssign, mayRemoveContact, visibleContacts } from './contact.policy.ts';
import { contactAccessApi } from './contact-access.api.ts';
import {
  addressesOf,
  columnsOf,
  idsWithMobilePhone,
  seenAmong,
  seenWithMobilePhones,
  seenWithPausedTexts,
} from './contact-access.queries.ts';
import { optOutSourceOf } from './opt-out-source.queries.ts';

const whenDispatched = {
  addresses: addressesOf,
  text_opt_out: optOutSourceOf('Text'),
  email_opt_out: optOutSourceOf('Email'),
};

/** The fields that decide who sees a contact. */
const VisibleContact = z.object({
  id: z.int(),
  owner_user_id: z.int(),
  assigned_user_id: z.int().nullable(),
  shared_user_ids: z.array(z.int()),
});

type Access = z.input<typeof contactAccessApi.access.output>;

export const contactAccessHandlers = implement(contactAccessApi, {
  access: async ({ query, user }, { ids }): Promise<Access> => {
    const contacts = await seenAmong(query, user, ids);
    return contacts.map((contact) => {
      const assign = mayAssign(user, contact) ? (['assign'] as const) : [];
      const remove = mayRemoveContact(user, contact) ? (['remove'] as const) : [];
      const { id, owner_user_id } = contact;
      return { id, owner_user_id, may: ['see', 'change', ...assign, ...remove] };
    });
  },

  // One statement for all users: calls of the system do not wait for turns, so one statement per user would take connections
  // from requests.
  seenBy: async ({ query }, { viewers }) => {
    const ids = new Set(viewers.flatMap(({ contact_ids }) => contact_ids));
    const read = await columnsOf(query, VisibleContact, [...ids]);
    const contacts = new Map(read.map((contact) => [contact.id, contact]));
    return viewers.map(({ user, contact_ids }) => {
      const isVisible = conditionOf(visibleContacts(user));
      const known = contact_ids.map((id) => contacts.get(id)).filter((contact) => contact !== undefined);
      return { user_id: user.id, contact_ids: known.filter(isVisible).map(({ id }) => id) };
    });
  },

  byIds: ({ query }, { ids }) => columnsOf(query, contactAccessApi.byIds.output.element, ids),

  withMobilePhone: ({ query }, { number }) => idsWithMobilePhone(query, number),

  withMobilePhones: ({ query }, { user, numbers }) => seenWithMobilePhones(query, user, numbers),

  withPausedTexts: ({ query }, { user, limit }) => seenWithPausedTexts(query, user, limit),

  exportForDispatch: ({ query }, { ids }) =>
    columnsOf(query, contactAccessApi.exportForDispatch.output.element, ids, whenDispatched),
});
