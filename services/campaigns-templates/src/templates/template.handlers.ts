import { wrong } from '@crm/contract';
import { templateChanged, templateCreated, templateRemoved } from '@crm/events';
import {
  answerWith,
  type Context,
  completePage,
  completeText,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
  publishRemoval,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { CampaignAction } from '../campaign-actions/campaign-action.entity.ts';
import { releaseTemplates } from '../campaign-actions/release-templates.ts';
import { TemplateFolder } from '../template-folders/template-folder.entity.ts';
import { addWarnings } from './add-warnings.ts';
import { templateApi } from './template.api.ts';
import { Template } from './template.entity.ts';
import { templateRows } from './template.queries.ts';
import { eventData } from './template-event-data.ts';

export const templateHandlers = implement(templateApi, {
  find: (ctx, input) => completePage(findPage(ctx, templateRows, input), addWarnings),

  get: (ctx, input) => completeText(getRecord(ctx, templateRows, input), addWarnings),

  create: async (ctx, draft) => {
    await holdFolder(ctx, draft.template_folder_id);
    const times = { created_at: ctx.now(), modified_at: ctx.now() };
    const template = ctx.em.create(Template, { ...draft, ...times, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, templateCreated, template, eventData(template));
    return answer(ctx, template.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const template = await loadForChange(ctx, Template, templateRows, { id, $where });
    await holdFolder(ctx, changes.template_folder_id);
    if (changes.template_type && changes.template_type !== template.template_type) {
      await refuseWhileUsed(ctx, id);
    }
    ctx.em.assign(template, { ...changes, modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, templateChanged, template, eventData(template));
    return answer(ctx, id);
  },

  remove: async (ctx, { id, $where }) => {
    const template = await loadForChange(ctx, Template, templateRows, { id, $where });
    const removed = await answer(ctx, id);
    await releaseTemplates(ctx, [id]);
    ctx.em.remove(template);
    publishRemoval(ctx, templateRemoved, template, eventData(template));
    return removed;
  },
});

const answer = (ctx: Context, id: number) => completeText(answerWith(ctx, templateRows, id), addWarnings);

/** Keeps a folder of the caller's from being removed, or copied, before the template is in it. */
async function holdFolder({ em }: Context, id: number | undefined) {
  if (id === undefined) return;
  const folder = await em.findOne(TemplateFolder, id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!folder) throw wrong('template_folder_id', `'${id}' does not exist`);
}

/** An action could otherwise send a letter by e-mail. */
async function refuseWhileUsed({ em }: Context, template_id: number) {
  if ((await em.count(CampaignAction, { template_id })) > 0)
    throw wrong('template_type', 'cannot be changed while campaign actions use the template');
}
