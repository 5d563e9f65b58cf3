import { implement } from '@crm/service';
import type { z } from 'zod';
import { mayAssign, mayRemoveContact } from './contact.policy.ts';
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

  seenBy: ({ query }, { viewers }) =>
    Promise.all(
      viewers.map(async ({ user, contact_ids }) => {
        const seen = await seenAmong(query, user, contact_ids);
        return { user_id: user.id, contact_ids: seen.map(({ id }) => id) };
      }),
    ),

  byIds: ({ query }, { ids }) => columnsOf(query, contactAccessApi.byIds.output.element, ids),

  withMobilePhone: ({ query }, { number }) => idsWithMobilePhone(query, number),

  withMobilePhones: ({ query }, { user, numbers }) => seenWithMobilePhones(query, user, numbers),

  withPausedTexts: ({ query }, { user, limit }) => seenWithPausedTexts(query, user, limit),

  exportForDispatch: ({ query }, { ids }) =>
    columnsOf(query, contactAccessApi.exportForDispatch.output.element, ids, whenDispatched),
});
