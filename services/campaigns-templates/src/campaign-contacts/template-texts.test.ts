import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, scheduleOf } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';
import { enrolWaiting } from './enrol-waiting.ts';
import { pinActions, removeUnusedTexts } from './pinned-action.queries.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => service.schedulingBecomes('available'));

const { campaignOf, contactOf, setUp } = dripsIn(service);
const { letTimePass } = scheduleOf(service);
const { query } = service.database;

const textsHere = () => service.rows('select body from template_texts order by body');
const textOf = async (campaign_contact_id: number) => {
  const [row] = await service.scheduling.rows(
    `select text.body, c.body as own from communications c join template_texts text on text.digest = c.body_digest
     where campaign_contact_id = $1 and type = 'Email Contact'`,
    [campaign_contact_id],
  );
  return row;
};

describe('the texts of templates', () => {
  it('are stored once per version in each service, however many contacts are added', async () => {
    const { anna, campaign_id, contact_id, template } = await setUp();
    const add = async () => (await service.as(anna).campaignContacts.create({ campaign_id, contact_id })).id;
    service.schedulingBecomes('unavailable');
    const before = await Promise.all([add(), add(), add()]);
    const plans = await service.rows('select plan::text from campaign_contacts where scheduled_at is null');
    expect(JSON.stringify(plans)).not.toContain('<p>Hi');
    await service.as(anna).templates.patch({ id: template.id, body: '<p>Hello</p>' });
    service.schedulingBecomes('available');
    await letTimePass();
    await enrolWaiting(service.workerContext);
    const after = await add();
    for (const id of before) expect(await textOf(id)).toEqual({ body: template.body, own: null });
    expect(await textOf(after)).toEqual({ body: '<p>Hello</p>', own: null });
    expect(await textsHere()).toEqual([{ body: '<p>Hello</p>' }, { body: template.body }]);
    expect(await service.scheduling.rows('select body from template_texts order by body')).toEqual(
      await textsHere(),
    );
  });

  it('are sent to scheduling in portions', async () => {
    const anna = await service.person();
    const { campaign_id } = await campaignOf(anna);
    const api = service.as(anna);
    const { id: template_folder_id } = await api.templateFolders.create({ name: 'Many' });
    for (let n = 0; n < 20; n++) {
      const template = { template_folder_id, template_type: 'Email', body: `${n}` } as const;
      const { id: template_id } = await api.templates.create(template);
      const timing = { timing_type: 'Delay by Minutes', delay_by_seconds: 60 } as const;
      await api.campaignActions.create({ campaign_id, type: 'Email Contact', template_id, ...timing });
    }
    const contact_id = await contactOf(anna);
    const { id, scheduled_at } = await service.as(anna).campaignContacts.create({ campaign_id, contact_id });
    expect(scheduled_at).not.toBeNull();
    const [counted] = await service.scheduling.rows(
      'select count(distinct body_digest)::int as texts from communications where campaign_contact_id = $1',
      [id],
    );
    expect(counted).toEqual({ texts: 21 });
  });

  it('are removed a day after the last plan that refers to them was pinned, but not while such a plan waits', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    await service.rows('delete from template_texts');
    service.schedulingBecomes('unavailable');
    const { id } = await service.as(anna).campaignContacts.create({ campaign_id, contact_id });
    const age = () => service.rows("update template_texts set used_at = used_at - interval '25 hours'");
    await age();
    await service.rows(
      "update campaign_contacts set created_at = created_at - interval '25 hours' where id = $1",
      [id],
    );
    expect(await removeUnusedTexts(query)).toBe(0);
    service.schedulingBecomes('available');
    await letTimePass();
    await enrolWaiting(service.workerContext);
    await pinActions(query, campaign_id);
    expect(await removeUnusedTexts(query)).toBe(0);
    await age();
    expect(await removeUnusedTexts(query)).toBe(1);
    expect(await textsHere()).toEqual([]);
  });
});
