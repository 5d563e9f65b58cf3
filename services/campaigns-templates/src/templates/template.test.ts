import type { User } from '@crm/auth';
import { findPage } from '@crm/data';
import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { campaignsUnderTest } from '../../test/harness.ts';
import { templateRows } from './template.queries.ts';

let ahead = 0;
const service = await campaignsUnderTest({ clock: () => new Date(Date.now() + ahead) });
afterAll(service.close);

const of = (user: User) => service.as(user).templates;
const folderOf = async (user: User) => (await service.as(user).templateFolders.create({ name: 'Buyers' })).id;
const refused = (errors: object) => ({ name: 'BadRequest', errors });

describe('a template', () => {
  it('shows what was written, and null for what was not', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const text = { subject: 'Hello', body: '<p>Hi</p>', description: 'First' };
    const made = await of(anna).create({ template_folder_id, template_type: 'Email', ...text, file_id: -7 });
    expect(made).toMatchObject({ ...text, user_id: anna.id, template_folder_id, file_id: -7, warnings: [] });
    expect(await of(anna).get({ id: made.id })).toEqual(made);
    expect((await of(anna).find({})).data).toEqual([made]);
    const least = await of(anna).create({ template_folder_id, template_type: 'Phone' });
    expect(least).toMatchObject({ subject: null, body: null, description: null, file_id: null });
  });

  it('is visible only to its owner, not to broker, sub-account or teammate', async () => {
    const anna = someone({ is_broker: true });
    const template_folder_id = await folderOf(anna);
    const { id } = await of(anna).create({ template_folder_id, template_type: 'Email' });
    const broker = someone({ sub_account_user_ids: [anna.id] });
    for (const other of [someone(), agentOf(anna), teammateOf(anna), broker]) {
      expect((await of(other).find({})).total).toBe(0);
      for (const forbidden of [of(other).get, of(other).patch, of(other).remove])
        await expect(forbidden({ id })).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it('must be in a folder of its owner, with the same error for other folders and missing ones', async () => {
    const [anna, bob] = [someone(), someone()];
    const [own, foreign] = [await folderOf(anna), await folderOf(bob)];
    const { id } = await of(anna).create({ template_folder_id: own, template_type: 'Email' });
    for (const folder of [foreign, 999_999]) {
      const error = refused({ template_folder_id: `'${folder}' does not exist` });
      const draft = { template_folder_id: folder, template_type: 'Email' as const };
      await expect(of(anna).create(draft)).rejects.toMatchObject(error);
      await expect(of(anna).patch({ id, template_folder_id: folder })).rejects.toMatchObject(error);
    }
    const other = await folderOf(anna);
    expect(await of(anna).patch({ id, template_folder_id: other })).toMatchObject({
      template_folder_id: other,
    });
  });

  it.each([
    [{}, { template_type: 'is required', template_folder_id: 'is required' }],
    [
      { template_folder_id: 1, template_type: 'Fax' },
      { template_type: expect.stringContaining('must be one of') },
    ],
    [
      { template_folder_id: 1, template_type: 'Email', subject: 'x'.repeat(1001) },
      { subject: 'must have at most 1000 characters' },
    ],
    [
      { template_folder_id: 1, template_type: 'Email', description: 'x'.repeat(201) },
      { description: 'must have at most 200 characters' },
    ],
    [
      { template_folder_id: 1, template_type: 'Email', body: 'x'.repeat(500_001) },
      { body: 'must have at most 500000 characters' },
    ],
  ])('is refused with all errors: %#', async (draft, errors) => {
    await expect(of(someone()).create(draft as never)).rejects.toMatchObject(refused(errors));
  });

  it.each(['Email', 'Text', 'Phone', 'Direct Mail Letter', 'Direct Mail Postcard'] as const)(
    'can have the type %s, and is counted under it in its folder',
    async (template_type) => {
      const anna = someone();
      const template_folder_id = await folderOf(anna);
      expect(await of(anna).create({ template_folder_id, template_type })).toMatchObject({ template_type });
      const { counts } = await service.as(anna).templateFolders.get({ id: template_folder_id });
      expect(Object.entries(counts.counts).filter(([, count]) => count > 0)).toEqual([[template_type, 1]]);
    },
  );

  it('belongs to the caller, and has the times at which it was created and changed', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const readOnly = { user_id: 1, created_at: '2001-01-01', modified_at: '2001-01-01', warnings: ['none'] };
    const draft = { template_folder_id, template_type: 'Email' as const, subject: 'Hi', body: 'Hi' };
    const made = await of(anna).create({ ...draft, ...readOnly });
    expect(made).toMatchObject({ user_id: anna.id, modified_at: made.created_at, warnings: [] });
    expect(made.created_at).not.toContain('2001');
    ahead += 60_000;
    const changed = await of(anna).patch({ id: made.id, ...readOnly, file_id: null } as { id: number });
    expect(changed).toMatchObject({ user_id: anna.id, created_at: made.created_at });
    expect(Date.parse(changed.modified_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at) + 60_000);
  });

  it.each(['one', 1.5, 2 ** 40, true])('refuses the attachment %j', async (file_id) => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const draft = { template_folder_id, template_type: 'Email' as const, file_id: file_id as number };
    await expect(of(anna).create(draft)).rejects.toMatchObject(
      refused({ file_id: expect.stringMatching(/^(must be a whole number|.*2147483647.*)$/) }),
    );
  });

  it('is stored despite warnings, and shows them in every response', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const made = await of(anna).create({ template_folder_id, template_type: 'Email', body: 'Hi {{name}}' });
    expect(made.warnings).toEqual([
      'The body contains {{name}}, which is not a merge field. It will be left blank.',
      'The e-mail has no subject.',
    ]);
    expect(await of(anna).get({ id: made.id })).toEqual(made);
    expect((await of(anna).find({})).data).toEqual([made]);
    expect((await of(anna).find({ $select: ['warnings'] })).data).toEqual([
      { id: made.id, warnings: made.warnings },
    ]);
    expect((await of(anna).find({ $select: ['id'] })).data).toEqual([{ id: made.id }]);
    const changed = await of(anna).patch({ id: made.id, subject: 'Hi', body: null });
    expect(changed.warnings).toEqual(['The body is empty.']);
  });

  it.each<[number, ('subject' | 'body' | 'warnings')[] | undefined]>([
    [1, undefined],
    [1, ['body', 'warnings']],
    [1, ['warnings']],
    [1, ['body']],
    [0, ['subject']],
  ])('is read with its body %i times for a page with the fields %j', async (times, select) => {
    const anna = someone();
    const body = `Hi {{name}}, ${'a'.repeat(50)}`;
    const template_folder_id = await folderOf(anna);
    const { id, warnings } = await of(anna).create({ template_folder_id, template_type: 'Email', body });
    const asked = { where: [], sort: [], limit: 10, skip: 0, select };
    const { text } = await findPage(service.database.query, templateRows, anna, asked);
    expect(text.split(body).length - 1).toBe(times);
    const [shown] = (await of(anna).find(select ? { $select: select } : {})).data;
    expect(shown).toMatchObject({
      id,
      ...(times > 0 && select?.[0] !== 'warnings' && { body }),
      ...(select?.includes('warnings') && { warnings }),
    });
    expect(Object.keys(shown ?? {}).length).toBe(select ? select.length + 1 : 11);
  });

  it('is removed from the actions that use it, and this is published', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const { id } = await of(anna).create({ template_folder_id, template_type: 'Text', body: 'Hi' });
    const { id: campaign_id } = await service.as(anna).campaigns.create({ name: 'Drip' });
    const actions = service.as(anna).campaignActions;
    const draft = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 0 } as const;
    const action = await actions.create({ campaign_id, ...draft, template_id: id });
    expect(await of(anna).remove({ id })).toMatchObject({ id });
    expect(await actions.get({ campaign_id, id: action.id })).toEqual({
      ...action,
      template_id: null,
      template_metadata_id: null,
      template: null,
    });
    const published = (await service.published()).slice(-2);
    expect(published).toMatchObject([
      {
        type: 'crm.campaigns-templates.campaign-action.changed',
        data: { campaign_action_id: action.id, campaign_id, owner_user_id: anna.id },
        aggregateversion: 2,
      },
      { type: 'crm.campaigns-templates.template.removed', data: { template_id: id, user_id: anna.id } },
    ]);
    expect(await actions.patch({ campaign_id, id: action.id, delay_by_seconds: 5 })).toMatchObject({
      delay_by_seconds: 5,
    });
    expect((await service.published()).at(-1)).toMatchObject({ aggregateversion: 3 });
  });

  it('keeps its type while an action uses it', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const { id } = await of(anna).create({ template_folder_id, template_type: 'Text' });
    const { id: campaign_id } = await service.as(anna).campaigns.create({ name: 'Drip' });
    const draft = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 0 } as const;
    await service.as(anna).campaignActions.create({ campaign_id, ...draft, template_id: id });
    await expect(of(anna).patch({ id, template_type: 'Email' })).rejects.toMatchObject(
      refused({ template_type: 'cannot be changed while campaign actions use the template' }),
    );
    expect(await of(anna).patch({ id, template_type: 'Text', body: 'x' })).toMatchObject({ body: 'x' });
    await service.as(anna).campaigns.remove({ id: campaign_id });
    expect(await of(anna).patch({ id, template_type: 'Email' })).toMatchObject({ template_type: 'Email' });
  });

  it('is published by its ids when it is created, changed and removed', async () => {
    const anna = someone();
    const template_folder_id = await folderOf(anna);
    const { id } = await of(anna).create({ template_folder_id, template_type: 'Email', subject: 'Secret' });
    await of(anna).patch({ id, subject: 'Secret too' });
    await of(anna).remove({ id });
    const published = (await service.published()).slice(-3);
    expect(published).toMatchObject(
      ['created', 'changed', 'removed'].map((what, index) => ({
        type: `crm.campaigns-templates.template.${what}`,
        data: { template_id: id, user_id: anna.id },
        aggregateversion: index + 1,
      })),
    );
    expect(JSON.stringify(published)).not.toContain('Secret');
  });
});

describe('the rendering of a template', () => {
  const rendering = async () => {
    const anna = await service.person({ first_name: 'Anna', last_name: 'Lopez' });
    const contact = await service.contacts.as(anna).contacts.create({ first_name: 'Carla <b>' });
    const template_folder_id = await folderOf(anna);
    const text = {
      subject: 'For {{contact.first_name}}\nnow',
      body: '<p>{{contact.first_name}} {{contact.company}}{{nobody}}, {{user.full_name}}</p>',
    };
    const email = await of(anna).create({ template_folder_id, template_type: 'Email', ...text });
    return { anna, contact_id: contact.id, template_folder_id, text, id: email.id };
  };

  it('shows what the contact would get, and which fields have no value', async () => {
    const { anna, contact_id, id, template_folder_id, text } = await rendering();
    const rendered = {
      subject: 'For Carla <b> now',
      body: '<p>Carla &lt;b&gt; , Anna Lopez</p>',
      unknown: ['nobody'],
      empty: ['contact.company'],
    };
    expect(await of(anna).render({ id, contact_id })).toEqual(rendered);
    const sms = await of(anna).create({ template_folder_id, template_type: 'Text', ...text });
    expect(await of(anna).render({ id: sms.id, contact_id })).toEqual({
      ...rendered,
      body: '<p>Carla <b> , Anna Lopez</p>',
    });
    const linked = { template_type: 'Email', body: '<a href="{{unsubscribe_url}}">No more</a>' } as const;
    const leaving = await of(anna).create({ template_folder_id, ...linked });
    expect(await of(anna).render({ id: leaving.id, contact_id })).toMatchObject({
      body: '<a href="/unsubscribe/">No more</a>',
      empty: [],
    });
    const nothing = await of(anna).create({ template_folder_id, template_type: 'Phone' });
    expect(await of(anna).render({ id: nothing.id, contact_id })).toEqual({
      subject: '',
      body: '',
      unknown: [],
      empty: [],
    });
  });

  it('requires a template of the caller, a visible contact, and no more than the read scope', async () => {
    const { anna, contact_id, id } = await rendering();
    const ben = await service.person();
    const foreign = await service.contacts.as(ben).contacts.create({ first_name: 'Dora' });
    await expect(of(ben).render({ id, contact_id: foreign.id })).rejects.toMatchObject({ name: 'NotFound' });
    for (const contact of [foreign.id, 999_999])
      await expect(of(anna).render({ id, contact_id: contact })).rejects.toMatchObject(
        refused({ contact_id: `'${contact}' does not exist` }),
      );
    const reader = of({ ...anna, scopes: ['read'] });
    expect(await reader.render({ id, contact_id })).toEqual(await of(anna).render({ id, contact_id }));
  });

  it('leaves nothing behind', async () => {
    const { anna, contact_id, id } = await rendering();
    const contents = () =>
      service.rows(
        `select (select jsonb_agg(t) from templates t) as templates, (select count(*) from outbox) as events,
           (select count(*) from idempotency_keys) as keys`,
      );
    const before = await contents();
    await of(anna).render({ id, contact_id }, { idempotencyKey: 'rendered' });
    expect(await contents()).toEqual(before);
  });
});
