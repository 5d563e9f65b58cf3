import type { User } from '@crm/auth';
import { someone } from '@crm/testing';
import type { CampaignsUnderTest } from './harness.ts';

export const text = {
  type: 'Text Contact',
  timing_type: 'Delay by Minutes',
  delay_by_seconds: 60,
} as const;
export const task = { ...text, type: 'Agent Task - No Reminder' } as const;
export const tasks = [
  'Agent Task - Email Reminder',
  'Agent Task - Call Reminder',
  'Agent Task - Text Reminder',
  'Agent Task - No Reminder',
] as const;
export const weekly = {
  type: 'Agent Task - Call Reminder',
  timing_type: 'Recurring',
  delay_by_days: 1,
  dispatch_time: '09:00:00',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO,TH',
} as const;
export const noTiming = {
  delay_by_seconds: null,
  delay_by_days: null,
  dispatch_time: null,
  dispatch_datetime: null,
  recurrence: null,
};
export const refused = (errors: object) => ({ name: 'BadRequest', errors });

type TemplateType = 'Email' | 'Text' | 'Phone' | 'Direct Mail Letter';

/** Creates campaigns with actions and templates for tests of actions. */
export function actionsIn(service: CampaignsUnderTest) {
  let campaigns = 0;
  const of = (user: User) => service.as(user).campaignActions;
  const campaignOf = async (user: User, is_broker_sharing_on = false) => {
    campaigns += 1;
    const draft = { name: `Drip ${campaigns}`, is_broker_sharing_on };
    return (await service.as(user).campaigns.create(draft)).id;
  };
  return {
    of,
    campaignOf,
    templateOf: async (user: User, template_type: TemplateType, contents: object = {}) => {
      const { id } = await service.as(user).templateFolders.create({ name: 'Folder' });
      const { templates } = service.as(user);
      return (await templates.create({ template_folder_id: id, template_type, ...contents })).id;
    },
    /** A campaign with one action, and functions to create and change its actions. */
    campaign: async (draft: object = text) => {
      const anna = someone();
      const campaign_id = await campaignOf(anna);
      const create = (fields: object) => of(anna).create({ campaign_id, ...(fields as typeof text) });
      const action = await create(draft);
      const patch = (changes: object) => of(anna).patch({ campaign_id, id: action.id, ...changes });
      return { anna, campaign_id, action, create, patch };
    },
  };
}
