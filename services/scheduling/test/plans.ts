import type { User } from '@crm/auth';
import type { Client } from '@crm/client';
import type { z } from 'zod';
import type { schedulingApi } from '../src/api.ts';
import type { PinnedAction, Plan } from '../src/enrolments/enrolment.api.ts';

type Planned = z.output<typeof Plan>;
export type Action = z.output<typeof PinnedAction>;

let last = 0;

/** A number that is used only once in a test file. */
export const next = (): number => {
  last += 1;
  return last;
};

export const template = {
  template_id: 7,
  name: 'Welcome',
  folder_name: 'Buyers',
  subject: 'Hello {{contact.first_name}}',
  body: '<p>{{contact.first_name}}, this is {{user.first_name}}.</p>',
};

/** An e-mail an hour after the start, with changes. */
export function action(changes: Partial<Action> = {}): Action {
  return {
    id: next(),
    type: 'Email Contact',
    assigned_user_id: null,
    timing_type: 'Delay by Minutes',
    recurrence: null,
    event_trigger_type: '1',
    delay_by_seconds: 3600,
    delay_by_days: null,
    dispatch_time: null,
    dispatch_datetime: null,
    notes: null,
    is_stopped_on_text_reply: false,
    template: null,
    ...changes,
  };
}

/** A task to call, due a day after the start at nine. */
export const call = (changes: Partial<Action> = {}): Action =>
  action({
    type: 'Agent Task - Call Reminder',
    timing_type: 'Delay by Day and Time',
    delay_by_seconds: null,
    delay_by_days: 1,
    dispatch_time: '09:00:00',
    ...changes,
  });

/** A recurring task to call, every week by default. */
export const calls = (recurrence = 'FREQ=WEEKLY', changes: Partial<Action> = {}): Action =>
  call({ timing_type: 'Recurring', recurrence, ...changes });

export function plan(
  user: Pick<User, 'id'>,
  actions: readonly Action[],
  changes: Partial<Planned> = {},
): Planned {
  return {
    campaign_id: next(),
    campaign_name: 'General Buyer Drip',
    user_id: user.id,
    timezone: 'America/New_York',
    contact_id: next(),
    birthday: null,
    start_at: '2026-03-02T18:00:00.000Z',
    actions: [...actions],
    ...changes,
  };
}

interface Under {
  readonly asSystem: Client<typeof schedulingApi>;
}

/** Enrols a new campaign contact with a plan. */
export async function enrolled({ asSystem }: Under, wanted: Planned) {
  const campaign_contact_id = next();
  const created = await asSystem.enrolments.enrol({ campaign_contact_id, plan: wanted });
  return { campaign_contact_id, created };
}
