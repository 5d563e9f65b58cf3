import { implement } from '@crm/service';
import type { z } from 'zod';
import { mayAssign, mayRemoveContact } from './contact.policy.ts';
import { contactAccessApi } from './contact-access.api.ts';
import { columnsOf, idsWithMobilePhone, seenAmong } from './contact-access.queries.ts';

type Access = z.input<typeof contactAccessApi.access.output>;

export const contactAccessHandlers = implement(contactAccessApi, {
  access: async (ctx, { ids }): Promise<Access> => {
    const rows = await seenAmong(ctx.query, ctx.user, ids);
    return rows.map((row) => {
      const contact = {
        id: Number(row.id),
        owner_user_id: Number(row.owner_user_id),
        assigned_user_id: row.assigned_user_id === null ? null : Number(row.assigned_user_id),
      };
      const assign = mayAssign(ctx.user, contact) ? (['assign'] as const) : [];
      const remove = mayRemoveContact(ctx.user, contact) ? (['remove'] as const) : [];
      return {
        id: contact.id,
        owner_user_id: contact.owner_user_id,
        may: ['see', 'change', ...assign, ...remove],
      };
    });
  },

  byIds: async (ctx, { ids }) => {
    const { output } = contactAccessApi.byIds;
    return output.parse(await columnsOf(ctx.query, Object.keys(output.element.shape), ids));
  },

  withMobilePhone: (ctx, { number }) => idsWithMobilePhone(ctx.query, number),

  exportForDispatch: async (ctx, { ids }) => {
    const { output } = contactAccessApi.exportForDispatch;
    return output.parse(await columnsOf(ctx.query, Object.keys(output.element.shape), ids));
  },
});
