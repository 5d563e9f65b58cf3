import { wrong } from '@crm/contract';
import {
  templateCreated,
  templateFolderChanged,
  templateFolderCreated,
  templateFolderRemoved,
  templateRemoved,
} from '@crm/events';
import {
  answerWith,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
  publishRemoval,
} from '@crm/service';
import { releaseTemplates } from '../campaign-actions/release-templates.ts';
import { copyTemplates, holdTemplatesOf, removeTemplates } from '../templates/template.queries.ts';
import { eventData as templateEventData } from '../templates/template-event-data.ts';
import { templateFolderApi } from './template-folder.api.ts';
import { TemplateFolder } from './template-folder.entity.ts';
import { mayShareFolderWith } from './template-folder.policy.ts';
import { templateFolderRows } from './template-folder.queries.ts';

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

  remove: async (ctx, { id, $where }) => {
    const folder = await loadForChange(ctx, TemplateFolder, templateFolderRows, { id, $where });
    const removed = await answerWith(ctx, templateFolderRows, id);
    const templates = await holdTemplatesOf(ctx.query, id);
    await releaseTemplates(ctx, templates);
    for (const template of await removeTemplates(ctx.query, templates))
      publishRemoval(
        ctx,
        templateRemoved,
        template,
        templateEventData({ id: template.id, user_id: folder.user_id }),
      );
    ctx.em.remove(folder);
    publishRemoval(ctx, templateFolderRemoved, folder, eventData(folder));
    return removed;
  },

  // The lock keeps the folder from being emptied and removed before all that is in it is copied.
  share: async (ctx, { id, user_id }) => {
    const { name, description } = await loadForChange(ctx, TemplateFolder, templateFolderRows, { id });
    if (!mayShareFolderWith(ctx.user, user_id))
      throw wrong('user_id', `'${user_id}' is not a user of your teams`);
    const now = ctx.now();
    const copy = ctx.em.create(TemplateFolder, {
      name,
      description,
      user_id,
      original_template_folder_id: id,
      created_at: now,
      modified_at: now,
    });
    await ctx.em.flush();
    publish(ctx, templateFolderCreated, copy, eventData(copy));
    for (const template of await copyTemplates(ctx.query, { from: id, to: copy.id, user_id, now }))
      publish(
        ctx,
        templateCreated,
        { id: template, version: 1 },
        templateEventData({ id: template, user_id }),
      );
    return answerWith(ctx, templateFolderRows, copy.id);
  },
});

function eventData({ id, user_id, original_template_folder_id }: TemplateFolder) {
  const original = original_template_folder_id ?? null;
  return { template_folder_id: id, user_id, original_template_folder_id: original };
}
