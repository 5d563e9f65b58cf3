import { importEnded } from '@crm/events';
import {
  answerWith,
  type Context,
  demand,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { checkReferences } from '../contacts/check-references.ts';
import { mayCreateContact } from '../contacts/contact.policy.ts';
import { createImport, eventData } from './create-import.ts';
import { importApi } from './import.api.ts';
import { Import } from './import.entity.ts';
import { importRows } from './import.queries.ts';
import { forgetFile } from './portion.queries.ts';
import { receivePart } from './receive-part.ts';
import { remarksFile } from './remarks-file.ts';

export const importHandlers = implement(importApi, {
  find: (ctx, input) => findPage(ctx, importRows, input),

  get: (ctx, input) => getRecord(ctx, importRows, input),

  create: async (ctx, asked) => {
    demand(mayCreateContact(ctx.user));
    await checkReferences(ctx, { assigned_user_id: asked.assigned_user_id });
    const { id } = await createImport(ctx, ctx.user, asked);
    return answerWith(ctx, importRows, id);
  },

  patch: async (ctx, { id, $where, status }) => {
    const stored = await loadForChange(ctx, Import, importRows, { id, $where });
    if (!stored.ended_at) await cancel(ctx, stored, status);
    return answerWith(ctx, importRows, id);
  },

  errors: (ctx, input) => remarksFile(ctx, input, true),

  warnings: (ctx, input) => remarksFile(ctx, input, false),

  receive: async (ctx, part) => {
    await receivePart(ctx, part);
    return answerWith(ctx, importRows, part.id);
  },
});

async function cancel(ctx: Context, stored: Import, status: 'Canceled') {
  ctx.em.assign(stored, { status, modified_at: ctx.now(), ended_at: ctx.now() });
  await ctx.em.flush();
  await forgetFile(ctx.query, stored.id);
  publish(ctx, importEnded, stored, eventData(stored));
}
