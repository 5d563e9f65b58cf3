import type { User } from '@crm/auth';
import { agentOf, openTransaction, someone, teammateOf, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);

const of = (user: User) => service.as(user).templateFolders;
const templatesOf = (user: User) => service.as(user).templates;
const none = { Email: 0, Text: 0, Phone: 0, 'Direct Mail Letter': 0, 'Direct Mail Postcard': 0 };
type Type = keyof typeof none;
const fill = async (user: User, template_folder_id: number, ...types: readonly Type[]) => {
  const made = [];
  for (const [n, template_type] of types.entries())
    made.push(await templatesOf(user).create({ template_folder_id, template_type, body: `${n}` }));
  return made;
};

describe('a template folder', () => {
  it('shows what was written, its owner, and zero templates', async () => {
    const anna = someone();
    const made = await of(anna).create({ name: 'Closed', description: 'Clients' });
    expect(made).toEqual({
      id: made.id,
      user_id: anna.id,
      name: 'Closed',
      description: 'Clients',
      original_template_folder_id: null,
      counts: { counts: none },
    });
    expect(await of(anna).get({ id: made.id })).toEqual(made);
    expect((await of(anna).find({})).data).toEqual([made]);
    expect(await of(anna).patch({ id: made.id, description: null })).toMatchObject({ description: null });
  });

  it('counts its current templates by type', async () => {
    const anna = someone();
    const { id } = await of(anna).create({ name: 'Closed' });
    const other = await of(anna).create({ name: 'Other' });
    const [first, second] = await fill(anna, id, 'Email', 'Email', 'Text', 'Direct Mail Postcard');
    const counts = async () => (await of(anna).get({ id })).counts.counts;
    expect(await counts()).toEqual({ ...none, Email: 2, Text: 1, 'Direct Mail Postcard': 1 });
    await templatesOf(anna).remove({ id: first?.id ?? 0 });
    await templatesOf(anna).patch({ id: second?.id ?? 0, template_folder_id: other.id });
    expect(await counts()).toEqual({ ...none, Text: 1, 'Direct Mail Postcard': 1 });
  });

  it('is visible only to its owner, not to broker, sub-account or teammate', async () => {
    const anna = someone({ is_broker: true });
    const { id } = await of(anna).create({ name: 'Mine' });
    const broker = someone({ sub_account_user_ids: [anna.id] });
    for (const other of [someone(), agentOf(anna), teammateOf(anna), broker]) {
      expect((await of(other).find({})).total).toBe(0);
      for (const forbidden of [of(other).get, of(other).patch, of(other).remove])
        await expect(forbidden({ id })).rejects.toMatchObject({ name: 'NotFound' });
      await expect(of(other).share({ id, user_id: other.id })).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it.each([
    [{}, { name: 'is required' }],
    [{ name: '' }, { name: 'must not be empty' }],
    [{ name: 'x'.repeat(201) }, { name: 'must have at most 200 characters' }],
    [{ name: 'x', description: 'x'.repeat(201) }, { description: 'must have at most 200 characters' }],
  ])('is not created from %j', async (draft, errors) => {
    await expect(of(someone()).create(draft as { name: string })).rejects.toMatchObject({ errors });
  });

  it('may have the same name as another', async () => {
    const anna = someone();
    const [first, second] = [
      await of(anna).create({ name: 'Same' }),
      await of(anna).create({ name: 'Same' }),
    ];
    expect((await of(anna).find({ name: 'Same' })).data).toEqual([first, second]);
  });

  it('is removed with its templates, and actions continue without them', async () => {
    const anna = someone();
    const { id } = await of(anna).create({ name: 'Removed' });
    const [text, email] = await fill(anna, id, 'Text', 'Email');
    const { id: campaign_id } = await service.as(anna).campaigns.create({ name: 'Drip' });
    const draft = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 0 } as const;
    const actions = service.as(anna).campaignActions;
    const action = await actions.create({ campaign_id, ...draft, template_id: text?.id ?? 0 });
    expect(await of(anna).remove({ id })).toMatchObject({ counts: { counts: { Text: 1, Email: 1 } } });
    expect((await templatesOf(anna).find({})).total).toBe(0);
    expect(await actions.get({ campaign_id, id: action.id })).toMatchObject({
      template_id: null,
      template: null,
    });
    const published = (await service.published()).slice(-4);
    expect(published.map(({ type }) => type.split('.').slice(2).join('.')).sort()).toEqual([
      'campaign-action.changed',
      'template-folder.removed',
      'template.removed',
      'template.removed',
    ]);
    const removed = published.filter(({ type }) => type.endsWith('.template.removed'));
    expect(removed.map(({ data }) => data)).toEqual(
      expect.arrayContaining([text, email].map((one) => ({ template_id: one?.id, user_id: anna.id }))),
    );
  });
});

describe('a shared template folder', () => {
  it('is an independent copy with all templates, for a colleague', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await of(anna).create({ name: 'Drip', description: 'Slow' });
    const originals = await fill(anna, id, 'Email', 'Text');
    const copy = await of(anna).share({ id, user_id: ben.id });
    expect(copy).toMatchObject({
      user_id: ben.id,
      name: 'Drip',
      description: 'Slow',
      original_template_folder_id: id,
      counts: { counts: { ...none, Email: 1, Text: 1 } },
    });
    expect(await of(ben).get({ id: copy.id })).toEqual(copy);
    await expect(of(anna).get({ id: copy.id })).rejects.toMatchObject({ name: 'NotFound' });
    const { data: copies } = await templatesOf(ben).find({});
    expect(copies).toMatchObject(
      originals.map(({ template_type, body, subject, description, file_id }) => ({
        user_id: ben.id,
        template_folder_id: copy.id,
        ...{ template_type, body, subject, description, file_id },
      })),
    );
    await templatesOf(ben).patch({ id: copies[0]?.id ?? 0, body: 'Changed' });
    await of(anna).remove({ id });
    expect(await of(ben).get({ id: copy.id })).toEqual(copy);
    expect((await templatesOf(ben).find({})).total).toBe(2);
  });

  it('is published as created, with each of its templates', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await of(anna).create({ name: 'Drip' });
    await fill(anna, id, 'Email', 'Text');
    const copy = await of(anna).share({ id, user_id: ben.id });
    const { data: copies } = await templatesOf(ben).find({});
    expect((await service.published()).slice(-3)).toMatchObject([
      {
        type: 'crm.campaigns-templates.template-folder.created',
        data: { template_folder_id: copy.id, user_id: ben.id, original_template_folder_id: id },
      },
      ...copies.map((one) => ({
        type: 'crm.campaigns-templates.template.created',
        data: { template_id: one.id, user_id: ben.id },
        aggregateversion: 1,
      })),
    ]);
  });

  it('cannot be given to anyone else, with the same error for a user who does not exist', async () => {
    const [anna, stranger] = [someone(), someone()];
    const { id } = await of(anna).create({ name: 'Drip' });
    for (const user_id of [stranger.id, 999_999])
      await expect(of(anna).share({ id, user_id })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { user_id: `'${user_id}' is not a user of your teams` },
      });
    expect((await of(stranger).find({})).total).toBe(0);
  });

  it('is a consistent snapshot of the templates, even while others are added', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await of(anna).create({ name: 'Busy' });
    await fill(anna, id, 'Email');
    const adding = Array.from({ length: 10 }, () => fill(anna, id, 'Text'));
    const sharing = Array.from({ length: 5 }, () => of(anna).share({ id, user_id: ben.id }));
    const [copies] = await Promise.all([Promise.all(sharing), Promise.all(adding)]);
    expect((await of(anna).get({ id })).counts.counts).toMatchObject({ Email: 1, Text: 10 });
    const made = (await templatesOf(anna).find({ $limit: 100 })).data;
    for (const copy of copies) {
      const { data } = await templatesOf(ben).find({ template_folder_id: copy.id, $limit: 100 });
      expect(data.filter(({ template_type }) => template_type === 'Email')).toHaveLength(1);
      expect(data.length - 1).toBe(copy.counts.counts.Text);
      expect(made.length).toBeGreaterThanOrEqual(data.length);
      expect((await of(ben).get({ id: copy.id })).counts).toEqual(copy.counts);
    }
  });
});

describe('a template folder that is shared while it is removed', () => {
  it('is copied with all of its templates or not at all', async () => {
    for (let round = 0; round < 5; round++) {
      const ben = someone();
      const anna = teammateOf(ben);
      const { id } = await of(anna).create({ name: 'Removed' });
      await fill(anna, id, 'Email', 'Text');
      // Removal and sharing all read the folder, and then wait for this lock before they write.
      await using held = await openTransaction(service.database, 'lock table template_folders in share mode');
      const begun = [
        of(anna).remove({ id }),
        // A user runs four transactions at once.
        ...Array.from({ length: 3 }, () => of(anna).share({ id, user_id: ben.id })),
      ];
      const outcomes = Promise.allSettled(begun);
      await untilWaiting(service.rows, begun);
      await held.commit();
      const [removal, ...sharings] = await outcomes;
      expect(removal?.status).toBe('fulfilled');
      for (const sharing of sharings)
        if (sharing.status === 'rejected') expect(sharing.reason).toMatchObject({ name: 'NotFound' });
      for (const { counts } of (await of(ben).find({})).data)
        expect(counts.counts).toEqual({ ...none, Email: 1, Text: 1 });
    }
  });
});

describe('a template folder that is removed while templates are added', () => {
  it('leaves no template without a folder, and templates that come too late are refused', async () => {
    for (let round = 0; round < 5; round++) {
      const anna = someone();
      const { id } = await of(anna).create({ name: 'Removed' });
      const other = await of(anna).create({ name: 'Kept' });
      const [mover] = await fill(anna, other.id, 'Email');
      const [removal, ...additions] = await Promise.allSettled([
        of(anna).remove({ id }),
        ...Array.from({ length: 6 }, () => fill(anna, id, 'Text')),
        templatesOf(anna).patch({ id: mover?.id ?? 0, template_folder_id: id }),
      ]);
      expect(removal.status).toBe('fulfilled');
      for (const addition of additions)
        if (addition.status === 'rejected')
          expect(addition.reason).toMatchObject({ errors: { template_folder_id: `'${id}' does not exist` } });
      const left = await service.rows('select id from templates where template_folder_id = $1', [id]);
      expect(left).toEqual([]);
    }
  });
});

describe('a template that is given to an action while its folder is removed', () => {
  it('is not left in the action', async () => {
    for (let round = 0; round < 5; round++) {
      const anna = someone();
      const { id } = await of(anna).create({ name: 'Removed' });
      const [template] = await fill(anna, id, 'Text');
      const { id: campaign_id } = await service.as(anna).campaigns.create({ name: 'Drip' });
      const draft = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 0 } as const;
      const actions = service.as(anna).campaignActions;
      const template_id = template?.id ?? 0;
      const [removal, ...additions] = await Promise.allSettled([
        of(anna).remove({ id }),
        ...Array.from({ length: 5 }, () => actions.create({ campaign_id, ...draft, template_id })),
      ]);
      expect(removal.status).toBe('fulfilled');
      for (const addition of additions)
        if (addition.status === 'rejected')
          expect(addition.reason).toMatchObject({
            errors: { template_id: `'${template_id}' does not exist` },
          });
      for (const action of (await actions.find({ campaign_id })).data) expect(action.template_id).toBeNull();
    }
  });
});
