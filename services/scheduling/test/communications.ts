import type { User } from '@crm/auth';
import { someone } from '@crm/testing';
import { schedulingUnderTest } from './harness.ts';
import { type Action, action, next, plan, template } from './plans.ts';

/** The time at which communications are enrolled; the first one is to be sent an hour later. */
export const start = '2026-03-02T18:00:05.000Z';
export const ahead = '2026-03-02T19:00:00.000Z';

/** The service with Anna, who puts contacts into campaigns, her teammate Bert, and a stranger. */
export async function communicationsUnderTest() {
  const time = { now: new Date(start) };
  const scheduling = await schedulingUnderTest({ clock: () => time.now });
  const { identity, contacts, rows } = scheduling;
  const { enrolments } = scheduling.asSystem;

  const person = async (first_name: string) => {
    const account = { first_name, last_name: 'Byron' };
    const { id } = await identity.asSystem.users.create({ ...account, email: `${first_name}@example.com` });
    return { ...someone(), id };
  };
  const [bert, stranger] = [await person('Bert'), await person('Carl')];
  const anna: User = { ...(await person('Anna')), teammate_ids: [bert.id] };

  /** A contact of Anna's, shared with Bert, that is in a campaign. */
  const inCampaign = async (...actions: readonly Partial<Action>[]) => {
    const { id: contact_id } = await contacts.as(anna).contacts.create({ first_name: 'Bill' });
    await contacts.as(anna).shares.create({ contact_id, user_id: bert.id });
    const campaign_contact_id = next();
    const planned = actions.length > 0 ? actions.map(action) : [action({ template })];
    const wanted = plan(anna, planned, { contact_id });
    await enrolments.enrol({ campaign_contact_id, plan: wanted });
    const as = (user: User) => scheduling.as(user).communications;
    const { data } = await as(anna).find({ contact_id, $sort: { id: 1 } });
    const ids = data.map(({ id }) => id);
    const [id = 0] = ids;
    const mark = (is_active: boolean, user = bert) => as(user).patch({ contact_id, id, is_active });
    const set = (values: string) => rows(`update communications set ${values} where id = $1`, [id]);
    return { contact_id, campaign_contact_id, wanted, as, id, ids, mark, set };
  };

  return { scheduling, time, anna, bert, stranger, inCampaign };
}
