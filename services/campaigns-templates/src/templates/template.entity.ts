import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { templateTypes } from '../template-folders/template-folder.api.ts';
import { visibleTemplates } from './template.policy.ts';

const TemplateSchema = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    template_folder_id: p.integer(),
    template_type: p.string().$type<(typeof templateTypes)[number]>(),
    subject: p.string().nullable(),
    description: p.string().nullable(),
    body: p.text().nullable(),
    file_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleTemplates),
});

/** The content of an e-mail, a text, a call or a letter. */
export class Template extends TemplateSchema.class {}
TemplateSchema.setClass(Template);
