import { hasRows, isSelected, type Query, queryIds, queryRows, readModel } from '@crm/data';
import { z } from 'zod';
import { checkedFields } from './check-template.ts';
import { TemplateView } from './template.api.ts';
import { visibleTemplates } from './template.policy.ts';

/**
 * `warnings` contains the fields that warnings are computed from, except those that are selected anyway: otherwise a
 * page of long texts would contain each text twice. Handlers replace them with the warnings.
 */
export const templateRows = readModel(TemplateView, {
  table: 'templates',
  visible: visibleTemplates,
  nested: {
    warnings: (_viewer, _binds, _read, select) => {
      const missing = checkedFields.filter((name) => !isSelected(name, select));
      return `json_build_object(${missing.map((name) => `'${name}', templates.${name}`).join(', ')})`;
    },
  },
});

const Version = z.object({ id: z.int(), version: z.int() });

/** Returns true if a campaign action uses the template. The template must be locked. */
export function isTemplateUsed(query: Query, id: number): Promise<boolean> {
  return hasRows(query, 'select from campaign_actions where template_id = $1::int limit 1', [id]);
}

/**
 * Returns the ids of the templates in a folder. Until the transaction ends they cannot be changed, and no further
 * action can use them.
 */
export function lockTemplatesOf(query: Query, folder: number): Promise<number[]> {
  return queryIds(query, 'select id from templates where template_folder_id = $1 order by id for update', [
    folder,
  ]);
}

export function removeTemplates(query: Query, ids: readonly number[]) {
  return queryRows(query, Version, 'delete from templates where id = any($1::int[]) returning id, version', [
    ids,
  ]);
}

interface CopyOfFolder {
  readonly from: number;
  readonly to: number;
  readonly user_id: number;
  readonly now: Date;
}

/** Copies all templates of one folder to another, in the same order, and returns the copies. */
export function copyTemplates(query: Query, { from, to, user_id, now }: CopyOfFolder) {
  return queryRows(
    query,
    Version,
    `insert into templates (user_id, template_folder_id, template_type, subject, description, body, file_id,
       created_at, modified_at)
     select $3, $2, template_type, subject, description, body, file_id, $4, $4
     from templates where template_folder_id = $1 order by id
     returning id, version`,
    [from, to, user_id, now],
  );
}
