import { digestOf } from '@crm/delivery';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, next, plan, template } from '../../test/plans.ts';
import { moveTexts } from './template-text.queries.ts';
import { removeUnusedTexts } from './template-texts-worker.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);
const { enrolments } = scheduling.asSystem;
const { rows } = scheduling;

const { body: text, ...withoutBody } = template;
const referring = (body: string) => action({ template: { ...withoutBody, body_digest: digestOf(body) } });
const isStored = async (body: string) =>
  (await rows('select from template_texts where body = $1', [body])).length > 0;
const letAnHourPass = () => rows("update template_texts set checked_at = checked_at - interval '61 minutes'");

describe('a plan that refers to texts', () => {
  it('is refused with their digests until they are stored, and creates nothing before', async () => {
    const wanted = plan(someone(), [referring('first'), referring('second'), action({ template })]);
    const campaign_contact_id = next();
    const enrol = () => enrolments.enrol({ campaign_contact_id, plan: wanted });
    await enrolments.storeTexts({ texts: ['second'] });
    await expect(enrol()).rejects.toMatchObject({
      name: 'Conflict',
      errors: { [digestOf('first')]: 'is not stored' },
    });
    expect(await rows('select from communications union all select from enrolments')).toEqual([]);
    await enrolments.storeTexts({ texts: ['first', 'first', 'second'] });
    expect(await enrol()).toEqual({ communications: 3, tasks: 0 });
    expect(
      await rows(
        `select text.body, c.body as own from communications c join template_texts text on digest = body_digest
         where campaign_contact_id = $1 order by c.id`,
        [campaign_contact_id],
      ),
    ).toEqual(['first', 'second', text].map((body) => ({ body, own: null })));
  });
});

describe('a text that no communication refers to', () => {
  it('is removed after an hour, while one in use is not', async () => {
    const [used, unused] = ['used', 'unused'];
    await enrolments.storeTexts({ texts: [used, unused] });
    const campaign_contact_id = next();
    await enrolments.enrol({ campaign_contact_id, plan: plan(someone(), [referring(used)]) });
    await removeUnusedTexts(scheduling);
    expect(await isStored(unused)).toBe(true);
    await letAnHourPass();
    await removeUnusedTexts(scheduling);
    expect([await isStored(used), await isStored(unused)]).toEqual([true, false]);
    await enrolments.stop({ campaign_contact_id });
    await letAnHourPass();
    await removeUnusedTexts(scheduling);
    expect(await isStored(used)).toBe(false);
  });

  it('is never removed from a concurrent enrolment', async () => {
    for (let round = 0; round < 10; round++) {
      const body = `round ${round}`;
      await enrolments.storeTexts({ texts: [body] });
      await letAnHourPass();
      const campaign_contact_id = next();
      const [enrolled] = await Promise.allSettled([
        enrolments.enrol({ campaign_contact_id, plan: plan(someone(), [referring(body)]) }),
        removeUnusedTexts(scheduling),
      ]);
      if (enrolled.status === 'rejected') expect(enrolled.reason).toMatchObject({ name: 'Conflict' });
      expect(await isStored(body)).toBe(enrolled.status === 'fulfilled');
    }
  });
});

describe('an instance of an earlier release', () => {
  /** A row as that release enrolls it, with the text in the row itself. */
  async function older(body: string) {
    const [row] = await rows(
      `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name, type,
         is_stopped_on_text_reply, body, send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at)
       values ($1, 1, 1, 1, 'Welcome', 'Text Contact', false, $2, 1, now(), 'UTC', now(), now(), now()) returning id`,
      [next(), body],
    );
    return row?.id;
  }

  it('enrolls communications with texts in their rows, which are moved', async () => {
    const ids = [await older('own text'), await older('own text')];
    await rows("update communications set dispatch_state = 'Sending', lease_until = now() where id = $1", [
      ids[1],
    ]);
    await moveTexts(scheduling.database.query);
    const stored = () =>
      rows('select body, body_digest from communications where id = any($1) order by id', [ids]);
    const moved = { body: null, body_digest: digestOf('own text') };
    expect(await stored()).toEqual([moved, { body: 'own text', body_digest: null }]);
    await rows("update communications set dispatch_state = 'Scheduled', lease_until = null where id = $1", [
      ids[1],
    ]);
    await moveTexts(scheduling.database.query);
    expect(await stored()).toEqual([moved, moved]);
  });
});
