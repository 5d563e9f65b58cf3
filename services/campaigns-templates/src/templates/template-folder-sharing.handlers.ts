import { invalidField, notInYourTeams } from '@crm/contract';
import { templateCreated, templateFolderCreated } from '@crm/events';
import { answerWith, implement, loadForChange, publish } from '@crm/service';
import { templateFolderSharingApi } from '../template-folders/template-folder.api.ts';
import { TemplateFolder } from '../template-folders/template-folder.entity.ts';
import { mayShareFolderWith } from '../template-folders/template-folder.policy.ts';
import { templateFolderRows } from '../template-folders/template-folder.queries.ts';
import { eventData as folderEventData } from '../template-folders/template-folder-event-data.ts';
import { copyTemplates } from './template.queries.ts';
import { eventData } from './template-event-data.ts';

export const templateFolderSharingHandlers = implement(templateFolderSharingApi, {
  // The lock prevents the removal of the folder before all of its templates are copied.
  share: async (ctx, { id, user_id }) => {
    const { name, description } = await loadForChange(ctx, TemplateFolder, templateFolderRows, { id });
    if (!mayShareFolderWith(ctx.user, user_id)) throw invalidField('user_id', notInYourTeams(user_id));
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
    publish(ctx, templateFolderCreated, copy, folderEventData(copy));
    for (const template of await copyTemplates(ctx.query, { from: id, to: copy.id, user_id, now }))
      publish(ctx, templateCreated, template, eventData({ id: template.id, user_id }));
    return answerWith(ctx, templateFolderRows, copy.id);
  },
});
