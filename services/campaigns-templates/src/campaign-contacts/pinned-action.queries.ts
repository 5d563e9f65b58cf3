import type { Query } from '@crm/data';

/**
 * The actions of a campaign with the contents of their templates, whoever owns these, read in one statement. For a
 * campaign that the caller sees.
 */
export async function actionsToPin(query: Query, campaign: number): Promise<readonly unknown[]> {
  return query(
    `select a.id, a.type, a.assigned_user_id, a.timing_type, a.recurrence, a.event_trigger_type, a.delay_by_seconds,
       a.delay_by_days, a.dispatch_time, a.dispatch_datetime, a.notes, a.is_stopped_on_text_reply,
       case when t.id is not null then json_build_object('template_id', t.id, 'name', t.description,
         'folder_name', f.name, 'subject', t.subject, 'body', t.body) end as template
     from campaign_actions a
     left join templates t on t.id = a.template_id
     left join template_folders f on f.id = t.template_folder_id
     where a.campaign_id = $1 order by a.id`,
    [campaign],
  );
}
