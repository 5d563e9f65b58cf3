import { templateFolderChanged, templateFolderCreated } from '@crm/events';
import { answerWith, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { templateFolderApi } from './template-folder.api.ts';
import { TemplateFolder } from './template-folder.entity.ts';
import { templateFolderRows } from './template-folder.queries.ts';
import { eventData } from './template-folder-event-data.ts';

export const templateFolderHandlers = implement(templateFolderApi, {
  find: (ctx, input) => findPage(ctx, templateFolderRows, input),

  get: (ctx, input) => getRecord(ctx, templateFolderRows, input),

  create: async (ctx, draft) => {
    const times = { created_at: ctx.now(), modified_at: ctx.now() };
    const folder = ctx.em.create(TemplateFolder, { ...draft, ...times, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, templateFolderCreated, folder, eventData(folder));
    return answerWith(ctx, templateFolderRows, folder.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const folder = await loadForChange(ctx, TemplateFolder, templateFolderRows, { id, $where });
    ctx.em.assign(folder, { ...changes, modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, templateFolderChanged, folder, eventData(folder));
    return answerWith(ctx, templateFolderRows, id);
  },
});
