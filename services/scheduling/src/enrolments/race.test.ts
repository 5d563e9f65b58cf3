import { campaignRemoved, contactRemoved } from '@crm/events';
import { someone, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, call, calls, next, plan } from '../../test/plans.ts';
import { removeStoppedEverywhere } from './remove-stopped.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);

const { enrolments } = scheduling.asSystem;
const { rows } = scheduling;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts all of them within a few milliseconds, in an order that depends on the round. */
const mixed = (work: readonly (() => Promise<unknown>)[], round: number) =>
  Promise.all(work.map((one, index) => wait(((index * 7 + round * 3) % 5) * (round % 4)).then(one)));

/** What is left of a campaign and would still happen. */
async function left(campaign_id: number) {
  const [row] = await rows(
    `select (select count(*) from communications where campaign_id = $1)::int communications,
       (select count(*) from tasks where campaign_contact_id = any($2::int[]))::int tasks,
       (select count(*) from task_series where campaign_contact_id = any($2::int[]))::int events`,
    [campaign_id, campaignContacts.get(campaign_id) ?? []],
  );
  return row;
}

const campaignContacts = new Map<number, number[]>();

/** A campaign with contacts that are about to be put into it. */
function campaign(contacts = 6) {
  const wanted = plan(someone(), [action(), action(), call(), calls('FREQ=WEEKLY;COUNT=3')]);
  const ids = Array.from({ length: contacts }, next);
  campaignContacts.set(wanted.campaign_id, ids);
  const enrolAll = ids.map(
    (campaign_contact_id) => () => enrolments.enrol({ campaign_contact_id, plan: wanted }),
  );
  return { wanted, ids, enrolAll };
}

const nothing = { communications: 0, tasks: 0, events: 0 };
const rounds = Array.from({ length: 12 }, (_, round) => round);

describe('in whatever order, nothing is left to be sent', () => {
  it('of a campaign that ends while contacts are put into it', async () => {
    for (const round of rounds) {
      const { wanted, enrolAll } = campaign();
      const { campaign_id } = wanted;
      const end = () =>
        round % 2 === 0
          ? enrolments.stop({ campaign_id })
          : scheduling.deliver(campaignRemoved, { campaign_id, owner_user_id: null });
      await mixed([...enrolAll.slice(0, 3), end, ...enrolAll.slice(3)], round);
      await removeStoppedEverywhere(scheduling.workerContext);
      expect(await left(campaign_id)).toEqual(nothing);
    }
  });

  it('to a contact that is removed while it is put into a campaign, and no task refers to it', async () => {
    for (const round of rounds) {
      const { wanted, enrolAll } = campaign();
      const { contact_id, campaign_id } = wanted;
      const data = { contact_id, owner_user_id: wanted.user_id, assigned_user_id: null };
      const remove = () => scheduling.deliver(contactRemoved, data);
      await mixed([...enrolAll.slice(0, 3), remove, ...enrolAll.slice(3)], round);
      expect((await left(campaign_id))?.communications).toBe(0);
      expect(await rows('select from tasks where contact_id = $1', [contact_id])).toEqual([]);
      expect(await rows('select from task_series where contact_id = $1', [contact_id])).toEqual([]);
    }
  });

  it('to a contact that is taken out while it is put in, twice, and its campaign is removed', async () => {
    for (const round of rounds) {
      const { wanted, ids, enrolAll } = campaign(2);
      const { campaign_id, contact_id } = wanted;
      const [one = 0, other = 0] = ids;
      const data = { contact_id, owner_user_id: wanted.user_id, assigned_user_id: null };
      await mixed(
        [
          ...enrolAll,
          () => enrolments.stop({ campaign_contact_id: one }),
          () => enrolments.stop({ campaign_id }),
          ...enrolAll,
          () => scheduling.deliver(contactRemoved, data),
          () => enrolments.stop({ campaign_contact_id: other }),
        ],
        round,
      );
      expect(await left(campaign_id)).toEqual(nothing);
    }
  });

  it('while somebody continues its recurring task as a new one', async () => {
    for (const round of rounds) {
      const { wanted, ids, enrolAll } = campaign(1);
      const user = { ...someone(), id: wanted.user_id };
      for (const enrol of enrolAll) await enrol();
      const { scheduledTasks } = scheduling.as(user);
      const { data } = await scheduledTasks.find({ recurrence_rule: 'FREQ=WEEKLY;COUNT=3' });
      const changes = data.map(({ id }) => () => {
        const sent = { assigned_user_id: user.id, description: 'Call', status: 'incomplete' as const };
        const how = { due_at: '2026-05-05T10:00:00', recurrence_rule: 'FREQ=DAILY;COUNT=4', update_type: 2 };
        // A change that is too late finds no task.
        return scheduledTasks.patch({ ...sent, ...how, id }).catch((error: Error) => {
          expect(error.name).toBe('NotFound');
        });
      });
      await mixed([...changes, () => enrolments.stop({ campaign_contact_id: ids[0] ?? 0 })], round);
      expect(await left(wanted.campaign_id)).toEqual(nothing);
    }
  });

  it('of a series that was continued as a new one at the same time as the stop', async () => {
    const { wanted, ids, enrolAll } = campaign(1);
    const [campaign_contact_id = 0] = ids;
    for (const enrol of enrolAll) await enrol();
    const { pool } = scheduling.database;
    const [splitting, goingOn] = [await pool.connect(), await pool.connect()];
    let stopped: Promise<unknown> | undefined;
    try {
      await splitting.query('begin');
      const [series] = (
        await splitting.query(
          `select id from task_series where campaign_contact_id = $1 and type = 'recurrent' for update`,
          [campaign_contact_id],
        )
      ).rows;
      stopped = enrolments.stop({ campaign_contact_id });
      await untilWaiting(rows, [stopped]);
      const [other] = await rows(
        `insert into task_series (${copied}) select ${copied} from task_series where id = $1 returning id`,
        [series.id],
      );
      await goingOn.query('begin');
      await goingOn.query('select from task_series where id = $1 for update', [other?.id]);
      await splitting.query('commit');
      const [{ pid }] = (await goingOn.query('select pg_backend_pid() as pid')).rows;
      await untilWaiting(rows, [stopped], pid);
      await goingOn.query(
        `insert into tasks (scheduled_event_id, owner_user_id, campaign_contact_id, action_type, description, status,
           timezone, is_all_day, notify_assignee, created_at, modified_at)
         values ($1, $2, $3, 'None', 'Call', 'incomplete', 'UTC', false, false, now(), now())`,
        [other?.id, wanted.user_id, campaign_contact_id],
      );
      await goingOn.query('commit');
    } finally {
      // Destroys the connections, whose transactions are still open if that failed.
      for (const client of [splitting, goingOn]) client.release(true);
    }
    await stopped;
    expect(await left(wanted.campaign_id)).toEqual(nothing);
  });
});

const copied = `crm_user_id, action, type, campaign_contact_id, rule, start_local, timezone, next_index, action_type,
  description, is_all_day, notify_assignee, created_at, updated_at`;
