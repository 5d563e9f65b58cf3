import { type Query, readModel } from '@crm/data';
import { TemplateView } from './template.api.ts';
import { visibleTemplates } from './template.policy.ts';

/** In the place of warnings stands what they are about. */
export const templateRows = readModel(TemplateView, {
  table: 'templates',
  visible: visibleTemplates,
  nested: {
    warnings: `json_build_object('template_type', templates.template_type,
      'subject', templates.subject, 'body', templates.body)`,
  },
});

interface Version {
  readonly id: number;
  readonly version: number;
}

/** What a folder holds, kept from being changed or newly used until the transaction ends. */
export async function holdTemplatesOf(query: Query, folder: number): Promise<number[]> {
  const rows = await query('select id from templates where template_folder_id = $1 order by id for update', [
    folder,
  ]);
  return rows.map(({ id }) => Number(id));
}

export async function removeTemplates(query: Query, ids: readonly number[]): Promise<Version[]> {
  const rows = await query('delete from templates where id = any($1::int[]) returning id, version', [ids]);
  return rows.map(({ id, version }) => ({ id: Number(id), version: Number(version) }));
}

interface CopyOfFolder {
  readonly from: number;
  readonly to: number;
  readonly user_id: number;
  readonly now: Date;
}

/** Puts copies of all that one folder holds into another, in the same order, and tells their ids. */
export async function copyTemplates(
  query: Query,
  { from, to, user_id, now }: CopyOfFolder,
): Promise<number[]> {
  const rows = await query(
    `insert into templates (user_id, template_folder_id, template_type, subject, description, body, file_id,
       created_at, modified_at)
     select $3, $2, template_type, subject, description, body, file_id, $4, $4
     from templates where template_folder_id = $1 order by id
     returning id`,
    [from, to, user_id, now],
  );
  return rows.map(({ id }) => Number(id));
}
