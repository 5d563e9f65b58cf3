import { requestJson } from '../request-json.ts';
import type { OurSystem } from '../start-system.ts';
import type { Agent } from './rows.ts';

/** So many of an agent's contacts are in a campaign. */
export const enrolledContacts = 10;
const eventsEach = 30;
const tasksEach = 30;
const leadsEach = 10;
const agentsAtOnce = 8;

/** What agents have beside contacts, created as they would: only our system has it. */
export async function createActivity({ url }: OurSystem, agents: readonly Agent[]): Promise<void> {
  const waiting = agents.values();
  const work = async () => {
    for (const agent of waiting) await createActivityOf(url, agent);
  };
  await Promise.all(Array.from({ length: agentsAtOnce }, work));
}

async function createActivityOf(url: string, { token, contacts }: Agent): Promise<void> {
  const post = (path: string, body: object) => requestJson(url, token, { method: 'POST', path, body });
  const some = (count: number) => contacts.slice(0, count).entries();
  for (const [, contact_id] of some(eventsEach))
    await post('/events', { contact_id, type: 'property_viewed', description: 'Viewed online' });
  for (const [index, contact_id] of some(tasksEach))
    await post('/tasks', {
      contact_id,
      description: 'Call about the viewing',
      status: 'incomplete',
      action_type: 'Call Contact',
      due_at: dueAt(index),
    });
  for (const [, contact_id] of some(leadsEach))
    await post('/leads', { contact_id, type: 'Buyer', text_body: 'I would like to see the house.' });
  await enrolSome(post, contacts);
}

/** Tasks of a day, ten of each of three days. */
export const taskDay = (offset: number): string =>
  new Date(Date.UTC(2035, 0, 1 + offset)).toISOString().slice(0, 10);
const dueAt = (index: number) =>
  `${taskDay(index % 3)}T${String(8 + (index % 10)).padStart(2, '0')}:00:00.000Z`;

/** The campaign sends so late that nothing leaves while other things are measured. */
async function enrolSome(
  post: (path: string, body: object) => Promise<Record<string, unknown>>,
  contacts: readonly number[],
): Promise<void> {
  const folder = await post('/template-folders', { name: 'Campaigns' });
  const template = await post('/templates', {
    template_folder_id: folder.id,
    template_type: 'Email',
    subject: 'Welcome',
    body: '<p>Dear {{contact.first_name}}</p>',
  });
  const campaign = await post('/campaigns', { name: 'Welcome' });
  for (const delay_by_days of [100, 200, 300])
    await post(`/campaigns/${campaign.id}/actions`, {
      type: 'Email Contact',
      timing_type: 'Delay by Day and Time',
      delay_by_days,
      dispatch_time: '09:00:00',
      template_id: template.id,
    });
  for (const contact_id of contacts.slice(0, enrolledContacts))
    await post(`/campaigns/${campaign.id}/contacts`, { contact_id });
}
