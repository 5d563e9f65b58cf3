import { templateRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, completeText, implement, loadForChange, publish } from '@crm/service';
import { releaseTemplates } from '../campaign-actions/release-templates.ts';
import { addWarnings } from '../templates/add-warnings.ts';
import { templateRemovalApi } from '../templates/template.api.ts';
import { Template } from '../templates/template.entity.ts';
import { templateRows } from '../templates/template.queries.ts';
import { eventData } from '../templates/template-event-data.ts';

export const templateRemovalHandlers = implement(templateRemovalApi, {
  remove: async (ctx, { id, $where }) => {
    const template = await loadForChange(ctx, Template, templateRows, { id, $where });
    const { result } = await answerWith(ctx, templateRows, id);
    const removed = await completeText(result, addWarnings);
    await releaseTemplates(ctx, [id]);
    ctx.em.remove(template);
    publish(ctx, templateRemoved, removalOf(template), eventData(template));
    return removed;
  },
});
