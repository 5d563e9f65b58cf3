import { invalidField, unknownRecord } from '@crm/contract';
import { templateChanged, templateCreated } from '@crm/events';
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
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { TemplateFolder } from '../template-folders/template-folder.entity.ts';
import { addWarnings } from './add-warnings.ts';
import { templateApi } from './template.api.ts';
import { Template } from './template.entity.ts';
import { isTemplateUsed, templateRows } from './template.queries.ts';
import { eventData } from './template-event-data.ts';

export const templateHandlers = implement(templateApi, {
  find: (ctx, input) => completePage(findPage(ctx, templateRows, input), addWarnings),

  get: (ctx, input) => completeText(getRecord(ctx, templateRows, input), addWarnings),

  create: async (ctx, draft) => {
    await lockFolder(ctx, draft.template_folder_id);
    const times = { created_at: ctx.now(), modified_at: ctx.now() };
    const template = ctx.em.create(Template, { ...draft, ...times, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, templateCreated, template, eventData(template));
    return answer(ctx, template.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const template = await loadForChange(ctx, Template, templateRows, { id, $where });
    await lockFolder(ctx, changes.template_folder_id);
    if (changes.template_type && changes.template_type !== template.template_type) {
      await refuseWhileUsed(ctx, id);
    }
    ctx.em.assign(template, { ...changes, modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, templateChanged, template, eventData(template));
    return answer(ctx, id);
  },
});

const answer = async (ctx: Context, id: number) =>
  completeText((await answerWith(ctx, templateRows, id)).result, addWarnings);

/** Prevents a folder of the caller from being removed or copied before the template is in it. */
async function lockFolder({ em }: Context, id: number | undefined) {
  if (id === undefined) return;
  const folder = await em.findOne(TemplateFolder, id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!folder) throw invalidField('template_folder_id', unknownRecord(id));
}

/** The type must not change while actions use the template: otherwise an action could send a letter by e-mail. */
async function refuseWhileUsed({ query }: Context, template_id: number) {
  if (await isTemplateUsed(query, template_id))
    throw invalidField('template_type', 'cannot be changed while campaign actions use the template');
}
