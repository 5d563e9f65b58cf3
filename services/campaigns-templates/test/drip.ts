import type { User } from '@crm/auth';
import type { CampaignsUnderTest } from './harness.ts';

let drips = 0;

/** Campaigns and contacts for tests that add contacts to campaigns. */
export function dripsIn(service: CampaignsUnderTest) {
  const templateOf = async (user: User, template_type: 'Email' | 'Text', body: string) => {
    const api = service.as(user);
    const { id } = await api.templateFolders.create({ name: 'Drip folder' });
    const text = { subject: 'For {{contact.first_name}}', description: `${template_type} #1`, body };
    return api.templates.create({ template_folder_id: id, template_type, ...text });
  };
  /** A campaign that sends an e-mail and a text, and creates a task to call the contact. */
  const campaignOf = async (user: User, is_broker_sharing_on = false) => {
    drips += 1;
    const api = service.as(user);
    const { id } = await api.campaigns.create({ name: `Drip ${drips}`, is_broker_sharing_on });
    const template = await templateOf(user, 'Email', '<p>Hi {{contact.first_name}}</p>');
    const soon = { timing_type: 'Delay by Minutes', delay_by_seconds: 3600 } as const;
    const draft = { campaign_id: id, ...soon };
    await api.campaignActions.create({ ...draft, type: 'Email Contact', template_id: template.id });
    await api.campaignActions.create({ ...draft, type: 'Text Contact', is_stopped_on_text_reply: true });
    const task = { type: 'Agent Task - Call Reminder', notes: 'Ring twice' } as const;
    await api.campaignActions.create({ ...draft, ...task });
    return { campaign_id: id, template };
  };
  const contactOf = async (user: User, draft: object = { first_name: 'Carla' }) =>
    (await service.contacts.as(user).contacts.create(draft)).id;
  return {
    templateOf,
    campaignOf,
    contactOf,
    /** A user with a campaign and a contact. */
    async setUp() {
      const anna = await service.person({ first_name: 'Anna', last_name: 'Lopez' });
      const contact_id = await contactOf(anna);
      return { anna, contact_id, ...(await campaignOf(anna)) };
    },
  };
}

/** Reads what is scheduled in the service under test. */
export const scheduleOf = (service: CampaignsUnderTest) => ({
  /** What is scheduled for a contact, or for one of its enrolments, as the user sees it. */
  async scheduledFor(user: User, contact_id: number, id?: number) {
    const api = service.scheduling.as(user);
    const of = id === undefined ? {} : { campaign_contact_id: id };
    const communications = await api.communications.find({ contact_id, ...of, $limit: 1000 });
    const tasks = await api.tasks.find({ contact_id, ...of, $limit: 1000 });
    return { communications: communications.data, tasks: tasks.data };
  },
  /** The types of everything that is scheduled for an enrolment, whoever sees it. */
  async everythingOf(id: number) {
    const communications = await service.scheduling.rows(
      'select type from communications where campaign_contact_id = $1 order by campaign_action_id',
      [id],
    );
    const tasks = await service.scheduling.rows(
      'select action_type as type from tasks where campaign_contact_id = $1',
      [id],
    );
    return [...communications, ...tasks].map(({ type }) => type);
  },
  /** Makes everything that is waiting due, as if time had passed. */
  letTimePass: () =>
    service.rows('update campaign_contacts set next_attempt_at = now() where scheduled_at is null'),
});

/** The result of `everythingOf` for one of these campaigns. */
export const wholeDrip = ['Email Contact', 'Text Contact', 'Agent Task - Call Reminder'];
