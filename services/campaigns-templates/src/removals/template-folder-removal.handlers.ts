import { templateFolderRemoved, templateRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, implement, loadForChange, publish } from '@crm/service';
import { releaseTemplates } from '../campaign-actions/release-templates.ts';
import { templateFolderRemovalApi } from '../template-folders/template-folder.api.ts';
import { TemplateFolder } from '../template-folders/template-folder.entity.ts';
import { templateFolderRows } from '../template-folders/template-folder.queries.ts';
import { eventData } from '../template-folders/template-folder-event-data.ts';
import { lockTemplatesOf, removeTemplates } from '../templates/template.queries.ts';
import { eventData as templateEventData } from '../templates/template-event-data.ts';

export const templateFolderRemovalHandlers = implement(templateFolderRemovalApi, {
  remove: async (ctx, { id, $where }) => {
    const folder = await loadForChange(ctx, TemplateFolder, templateFolderRows, { id, $where });
    const removed = await answerWith(ctx, templateFolderRows, id);
    const templates = await lockTemplatesOf(ctx.query, id);
    await releaseTemplates(ctx, templates);
    for (const template of await removeTemplates(ctx.query, templates)) {
      const data = templateEventData({ id: template.id, user_id: folder.user_id });
      publish(ctx, templateRemoved, removalOf(template), data);
    }
    ctx.em.remove(folder);
    publish(ctx, templateFolderRemoved, removalOf(folder), eventData(folder));
    return removed;
  },
});
