import type { TemplateFolder } from './template-folder.entity.ts';

/** The data of the events about a template folder. */
export function eventData({ id, user_id, original_template_folder_id }: TemplateFolder) {
  const original = original_template_folder_id ?? null;
  return { template_folder_id: id, user_id, original_template_folder_id: original };
}
