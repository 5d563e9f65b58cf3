/** A campaign that sends one message with its name, in a year that depends on its id. */
export function planOf(campaign_id: number, campaign_name: string, user_id: number, contact_id: number) {
  const types = ['Email Contact', 'Call Contact', 'Text Contact'] as const;
  const name = [...campaign_name].slice(0, 200).join('');
  const content = campaign_id % 2 === 0 ? name : null;
  return {
    campaign_id,
    campaign_name,
    user_id,
    timezone: 'America/New_York',
    contact_id,
    birthday: null,
    start_at: `${2040 + (campaign_id % 30)}-01-02T00:00:00Z`,
    actions: [
      {
        id: campaign_id,
        type: types[campaign_id % 3] ?? 'Email Contact',
        assigned_user_id: null,
        timing_type: 'Delay by Minutes' as const,
        recurrence: null,
        event_trigger_type: '1' as const,
        delay_by_seconds: campaign_id,
        delay_by_days: null,
        dispatch_time: null,
        dispatch_datetime: null,
        notes: null,
        is_stopped_on_text_reply: campaign_id % 5 === 0,
        template: { template_id: 1, name: content, folder_name: name, subject: content, body: null },
      },
    ],
  };
}
