import type { Json } from '../system/api.ts';
import type { Made } from '../system/made.ts';

/** Creates a record in a list and returns it. */
export type Add = (path: string, draft: Json) => Promise<Made>;

/** The templates of the folder, by their descriptions. */
const letters = {
  welcome: {
    template_type: 'Email',
    subject: 'Welcome, {{contact.first_name}}',
    body: '<p>Dear {{contact.full_name}} of {{contact.company}},</p><p>{{user.full_name}}</p>',
  },
  hello: {
    template_type: 'Text',
    body: 'Hello {{contact.first_name}}, {{user.first_name}} here. May I call you?',
  },
  question: { template_type: 'Text', body: 'Did you like the house, {{contact.first_name}}?' },
  news: { template_type: 'Text', body: 'There are new houses near you, {{contact.first_name}}.' },
  call: { template_type: 'Phone', body: 'Ask {{contact.first_name}} how it went.' },
} as const;

const later = (days: number) => ({ timing_type: 'Delay by Minutes', delay_by_seconds: days * 86_400 });
const atOnce = later(0);
const onDay = (delay_by_days: number, dispatch_time: string) => ({
  timing_type: 'Delay by Day and Time',
  delay_by_days,
  dispatch_time,
});

/** Everything that a campaign can do: immediate and later messages, and tasks for an agent. */
const actionsOf = (templates: Readonly<Record<keyof typeof letters, number>>, agent: number): Json[] => [
  { type: 'Email Contact', template_id: templates.welcome, ...atOnce },
  { type: 'Text Contact', template_id: templates.hello, is_stopped_on_text_reply: true, ...atOnce },
  { type: 'Text Contact', template_id: templates.question, is_stopped_on_text_reply: true, ...later(2) },
  { type: 'Text Contact', template_id: templates.news, is_stopped_on_text_reply: false, ...later(3) },
  { type: 'Call Contact', template_id: templates.call, assigned_user_id: agent, ...later(1) },
  { type: 'Email Contact', template_id: templates.welcome, ...onDay(5, '09:30:00') },
  {
    type: 'Agent Task - Call Reminder',
    assigned_user_id: agent,
    notes: 'Ask when they would like to see it.',
    ...onDay(1, '10:00:00'),
  },
  {
    type: 'Agent Task - Email Reminder',
    notes: 'Look for similar houses.',
    ...onDay(2, '08:00:00'),
    timing_type: 'Recurring',
    recurrence: 'FREQ=WEEKLY',
  },
];

/** A campaign with a folder of templates and all its actions, some of them for an agent. */
export async function addCampaign(add: Add, agent: number): Promise<Made> {
  const folder = await add('/template-folders', { name: 'New leads' });
  const templateOf = async (description: keyof typeof letters) => {
    const draft = { template_folder_id: folder.id, description, ...letters[description] };
    return (await add('/templates', draft)).id;
  };
  const templates = {
    welcome: await templateOf('welcome'),
    hello: await templateOf('hello'),
    question: await templateOf('question'),
    news: await templateOf('news'),
    call: await templateOf('call'),
  };
  const campaign = await add('/campaigns', { name: 'Welcome' });
  for (const action of actionsOf(templates, agent)) await add(`/campaigns/${campaign.id}/actions`, action);
  return campaign;
}
