import { answerWith, findPage, getRecord, implement, loadForChange } from '@crm/service';
import { checkReferences } from '../contacts/check-references.ts';
import { createImport } from './create-import.ts';
import { endImport } from './end-import.ts';
import { importApi } from './import.api.ts';
import { Import } from './import.entity.ts';
import { importRows } from './import.queries.ts';
import { receivePart } from './receive-part.ts';
import { remarksFile } from './remarks-file.ts';

export const importHandlers = implement(importApi, {
  find: (ctx, input) => findPage(ctx, importRows, input),

  get: (ctx, input) => getRecord(ctx, importRows, input),

  create: async (ctx, asked) => {
    await checkReferences(ctx, { assigned_user_id: asked.assigned_user_id });
    const { id } = await createImport(ctx, ctx.user, asked);
    return answerWith(ctx, importRows, id);
  },

  // The only status that may be sent is Canceled.
  patch: async (ctx, { id, $where }) => {
    await loadForChange(ctx, Import, importRows, { id, $where });
    await endImport(ctx, id, { status: 'Canceled', error: null });
    return answerWith(ctx, importRows, id);
  },

  errors: (ctx, input) => remarksFile(ctx, input, 'errors'),

  warnings: (ctx, input) => remarksFile(ctx, input, 'warnings'),

  receive: async (ctx, part) => {
    await receivePart(ctx, part);
    return answerWith(ctx, importRows, part.id);
  },
});
