import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/**
 * How old `used_at` may become before it is updated. Without this tolerance, transactions that add contacts at the same
 * time would wait for one another.
 */
const fresh = "interval '1 hour'";

/** The columns of an action that a plan contains. */
const actionColumns = [
  'id',
  'type',
  'assigned_user_id',
  'timing_type',
  'recurrence',
  'event_trigger_type',
  'delay_by_seconds',
  'delay_by_days',
  'dispatch_time',
  'dispatch_datetime',
  'notes',
  'is_stopped_on_text_reply',
];

/** The actions of a campaign with their templates, whoever owns the templates. The caller must see the campaign. */
const actionsOf = `
  select ${actionColumns.map((name) => `a.${name}`).join(', ')},
    t.id as template_id, t.description as template_name, f.name as folder_name, t.subject, t.body
  from campaign_actions a
  left join templates t on t.id = a.template_id
  left join template_folders f on f.id = t.template_folder_id
  where a.campaign_id = $1`;

/** An action as a plan contains it, with the text of its template or a reference to the text. */
const planned = (text: string) => `
  select ${actionColumns.join(', ')},
    case when template_id is not null then json_build_object('template_id', template_id, 'name', template_name,
      'folder_name', folder_name, 'subject', subject, ${text}) end as template`;

/** The actions of a campaign with the texts of their templates. */
export async function actionsWithTexts(query: Query, campaign: number): Promise<readonly unknown[]> {
  return query(`${planned("'body', body")} from (${actionsOf}) action order by id`, [campaign]);
}

/**
 * The actions of a campaign with references to the texts of their templates, by digest. The same statement stores the
 * texts, so that they are exactly the ones that the actions refer to. Each text is stored once, however many contacts
 * are added.
 */
export async function pinActions(query: Query, campaign: number): Promise<readonly unknown[]> {
  return query(
    `with action as (
       select *, encode(sha256(convert_to(body, 'UTF8')), 'hex') as digest from (${actionsOf}) own
     ), stored as (
       insert into template_texts (digest, body)
       select distinct on (digest) digest, body from action
       where digest is not null and not exists (
         select from template_texts known where known.digest = action.digest and known.used_at > now() - ${fresh}
       )
       order by digest
       on conflict (digest) do update set used_at = now()
     )
     ${planned("'body_digest', digest")} from action order by id`,
    [campaign],
  );
}

const StoredText = z.object({ body: z.string() });

/** The texts with these digests. */
export async function textsWith(query: Query, digests: readonly string[]): Promise<string[]> {
  const rows = await queryRows(
    query,
    StoredText,
    'select body from template_texts where digest = any($1::text[])',
    [digests],
  );
  return rows.map(({ body }) => body);
}

/**
 * Deletes some texts that were last used more than a day before the oldest waiting contact was added, and returns how
 * many. A plan is stored in the transaction that updates `used_at` of its texts, and no transaction takes a day.
 */
export async function removeUnusedTexts(query: Query): Promise<number> {
  const rows = await query(
    `delete from template_texts where digest in (
       select digest from template_texts
       where used_at < least(
         now(), (select min(created_at) from campaign_contacts where scheduled_at is null)
       ) - interval '1 day'
       order by used_at limit 500 for update skip locked
     ) returning digest`,
    [],
  );
  return rows.length;
}
