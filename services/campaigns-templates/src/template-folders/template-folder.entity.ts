import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleTemplateFolders } from './template-folder.policy.ts';

const TemplateFolderSchema = defineEntity({
  name: 'TemplateFolder',
  tableName: 'template_folders',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    name: p.string(),
    description: p.string().nullable(),
    /** A folder of another user, which may have been removed since. */
    original_template_folder_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleTemplateFolders),
});

export class TemplateFolder extends TemplateFolderSchema.class {}
TemplateFolderSchema.setClass(TemplateFolder);
