import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { made } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: campaigns', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const newTemplate = async (person: Person, draft: Json = {}) => {
    const folder = await made(person, '/template-folders', { name: 'Drip' });
    return made(person, '/templates', { template_folder_id: folder.id, template_type: 'Text', ...draft });
  };
  const newAction = async (person: Person, draft: Json = {}) => {
    const campaign = await made(person, '/campaigns', { name: `Drip of ${person.id}` });
    const path = `/campaigns/${campaign.id}/actions`;
    const usual = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 60 };
    return { path, action: await made(person, path, { ...usual, ...draft }) };
  };

  it('show the template of an action and, if requested, the assigned user', async () => {
    const anna = await system.person();
    const template = await newTemplate(anna, { description: 'First', subject: 'Hello' });
    const { path, action } = await newAction(anna, {
      template_metadata_id: template.id,
      assigned_user_id: anna.id,
    });
    expect(action).toMatchObject({
      template_id: template.id,
      template: { template_id: template.id, description: 'First', subject: 'Hello' },
    });
    expect(action).not.toHaveProperty('assigned_user');
    const assigned_user = { id: anna.id, first_name: 'Ada', last_name: 'Byron', email: anna.email };
    for (const query of ['$load=assigned_user', '$load=assigned_user,template', '$load[]=assigned_user']) {
      const listed = await anna.api.list(`${path}?${query}`);
      expect(listed.data, query).toEqual([{ ...action, assigned_user }]);
      const read = await anna.api.get(`${path}/${action.id}?${query}`);
      expect(read.body, query).toEqual({ ...action, assigned_user });
    }
    expect((await anna.api.get(`${path}/${action.id}?$load=template`)).body).toEqual(action);
    expect((await anna.api.get(`${path}/${action.id}?$load=owner`)).status).toBe(400);
  });

  it('render a template for a contact with status 200, because nothing is created', async () => {
    const anna = await system.person();
    const contact = await made(anna, '/contacts', { first_name: 'Carla' });
    const template = await newTemplate(anna, { body: 'Hi {{contact.first_name}}{{nobody}}' });
    const reader = await system.token(anna, 'read');
    const path = `/templates/${template.id}/render`;
    for (const api of [anna.api, reader.api]) {
      const { status, body } = await api.post(path, { contact_id: contact.id });
      expect({ status, body }).toEqual({
        status: 200,
        body: { subject: '', body: 'Hi Carla', unknown: ['nobody'], empty: [] },
      });
    }
    const stranger = await system.person();
    const foreign = await made(stranger, '/contacts', { first_name: 'Dora' });
    expect(await anna.api.post(path, { contact_id: foreign.id })).toMatchObject({
      status: 400,
      body: { errors: { contact_id: `'${foreign.id}' does not exist` } },
    });
  });

  it('give a colleague one copy of a folder per Idempotency-Key', async () => {
    const broker = await system.person({ is_broker: true });
    const agent = await system.person();
    await agent.allows(broker);
    await made(broker, '/sub-accounts', { user_id: agent.id });
    const template = await newTemplate(broker, { body: 'Hi' });
    const path = `/template-folders/${template.template_folder_id}/shares`;
    const draft = { user_id: agent.id };
    const answers = [
      await broker.api.post(path, draft, { 'idempotency-key': 'share-once' }),
      await broker.api.post(path, draft, { 'idempotency-key': 'share-once' }),
    ];
    const copy = {
      user_id: agent.id,
      name: 'Drip',
      original_template_folder_id: template.template_folder_id,
      counts: {
        counts: { Email: 0, Text: 1, Phone: 0, 'Direct Mail Letter': 0, 'Direct Mail Postcard': 0 },
      },
    };
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: copy });
    expect((await agent.api.list('/template-folders')).data).toEqual([answers[0]?.body]);
    expect((await agent.api.list('/templates')).data).toMatchObject([{ user_id: agent.id, body: 'Hi' }]);
    const stranger = await system.person();
    const before = await system.contents();
    expect(await broker.api.post(path, { user_id: stranger.id })).toMatchObject({
      status: 400,
      body: { errors: { user_id: `'${stranger.id}' is not a user of your teams` } },
    });
    expect(await system.contents()).toEqual(before);
  });

  it('accept contacts, show what they will get, and remove them', async () => {
    const anna = await system.person();
    const { path: actions } = await newAction(anna);
    const path = actions.replace('/actions', '/contacts');
    const contact = await made(anna, '/contacts', { first_name: 'Carla' });
    const preview = await anna.api.post(path.replace('/contacts', '/preview'), { contact_id: contact.id });
    expect(preview).toMatchObject({
      status: 200,
      body: {
        communications: [{ type: 'Text Contact', send_from_user_id: anna.id }],
        tasks: [],
        skipped: [],
      },
    });
    const added = await made(anna, path, { contact_id: contact.id });
    expect(added.scheduled_at).not.toBeNull();
    expect((await anna.api.list(path)).data).toEqual([added]);
    const communications = `/contacts/${contact.id}/campaign-communications`;
    expect((await anna.api.list(communications)).data).toMatchObject([
      { campaign_contact_id: added.id, type: 'Text Contact', is_active: true },
    ]);
    expect(await anna.api.patch(`${path}/${added.id}`, { contact_id: contact.id })).toMatchObject({
      status: 405,
      body: { name: 'MethodNotAllowed' },
    });
    expect((await anna.api.delete(`${path}/${added.id}`)).status).toBe(200);
    expect((await anna.api.get(`${path}/${added.id}`)).status).toBe(404);
    expect((await anna.api.list(communications)).total).toBe(0);
  });

  it('accept many contacts at once, by a filter', async () => {
    const anna = await system.person();
    const { path: actions } = await newAction(anna);
    const path = actions.replace('/actions', '/contacts');
    const contacts = [
      await made(anna, '/contacts', { first_name: 'Carla', company: 'Ng Ltd' }),
      await made(anna, '/contacts', { first_name: 'Dora', company: 'Ng Ltd' }),
    ];
    await made(anna, '/contacts', { first_name: 'Emil' });
    const campaign_id = Number(path.split('/')[2]);
    const request = { action: 'enrol', campaign_id, filter: { company: 'Ng Ltd' } };
    const tried = await anna.api.post('/bulk-operations?dry_run=true', request);
    expect(tried).toMatchObject({
      status: 202,
      body: { total: 2, examples: contacts.map(({ id }) => ({ id })) },
    });
    const { body } = await anna.api.post('/bulk-operations', request);
    const ended = { status: 'Done', total: 2, processed: 2, failed: 0 };
    const operation = async () => (await anna.api.get(`/bulk-operations/${body.id}`)).body;
    await expect.poll(operation).toMatchObject(ended);
    const added = (await anna.api.list(`${path}?$sort[contact_id]=1`)).data;
    expect(added.map(({ contact_id }) => contact_id)).toEqual(contacts.map(({ id }) => id));
    const communications = await anna.api.list(`/contacts/${contacts[0]?.id}/campaign-communications`);
    expect(communications.data).toMatchObject([{ campaign_contact_id: added[0]?.id, is_active: true }]);
  });

  it('accept contacts even if their contents exceed the size limit of a request', async () => {
    const anna = await system.person();
    const { id } = await made(anna, '/campaigns', { name: 'Long letters' });
    const body = '🏡'.repeat(100_000);
    const { id: template_id } = await newTemplate(anna, { template_type: 'Email', body });
    const when = { timing_type: 'Delay by Minutes', delay_by_seconds: 3600 };
    const action = { type: 'Email Contact', template_id, ...when };
    for (let n = 0; n < 8; n++) await made(anna, `/campaigns/${id}/actions`, action);
    const contact = await made(anna, '/contacts', { first_name: 'Carla' });
    const added = await made(anna, `/campaigns/${id}/contacts`, { contact_id: contact.id });
    expect(added.scheduled_at).not.toBeNull();
    expect((await anna.api.list(`/contacts/${contact.id}/campaign-communications`)).total).toBe(8);
  });

  it('lose a contact that is removed', async () => {
    const anna = await system.person();
    const { path: actions } = await newAction(anna);
    const path = actions.replace('/actions', '/contacts');
    const contact = await made(anna, '/contacts', { first_name: 'Carla' });
    await made(anna, path, { contact_id: contact.id });
    expect((await anna.api.delete(`/contacts/${contact.id}`)).status).toBe(200);
    await system.settled();
    expect((await anna.api.list(path)).total).toBe(0);
  });
});
