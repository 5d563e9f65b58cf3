import { readModel } from '@crm/data';
import { TemplateFolderView, templateTypes } from './template-folder.api.ts';
import { visibleTemplateFolders } from './template-folder.policy.ts';

const numbers = templateTypes.map((type) => `'${type}', count(*) filter (where t.template_type = '${type}')`);

/** Nested one level deeper than necessary, because shipped clients expect it. */
const counts = `(select json_build_object('counts', json_build_object(${numbers.join(', ')}))
  from templates t where t.template_folder_id = template_folders.id)`;

export const templateFolderRows = readModel(TemplateFolderView, {
  table: 'template_folders',
  visible: visibleTemplateFolders,
  nested: { counts },
});
