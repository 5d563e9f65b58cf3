import { NotFound } from '@feathersjs/errors';
import { feathers } from '@feathersjs/feathers';
import rest from '@feathersjs/rest-client';
import { afterAll, expect, it } from 'vitest';
import { startSystem } from './system.ts';

const system = await startSystem('together');
afterAll(system.stop);

it('serves the REST client of FeathersJS as it is', async () => {
  const { token } = await system.person();
  const client = feathers().configure(rest.default(system.url).fetch(fetch));
  const contacts = client.service('contacts');
  const headers = { authorization: `Bearer ${token}` };

  const [ada, grace] = [
    await contacts.create({ first_name: 'Ada', email: 'ada@example.com', tags: 'buyer' }, { headers }),
    await contacts.create({ first_name: 'Grace', email: 'grace@example.com' }, { headers }),
  ];
  expect(await contacts.patch(ada.id, { company: 'Analytical Engines' }, { headers })).toMatchObject({
    id: ada.id,
    first_name: 'Ada',
    company: 'Analytical Engines',
  });
  const found = (query: object) => contacts.find({ headers, query });
  expect(await found({ email: 'ada@example.com', $limit: 1 })).toMatchObject({
    total: 1,
    limit: 1,
    skip: 0,
    data: [{ id: ada.id }],
  });
  const both = {
    $or: [{ first_name: 'Ada' }, { email: { $like: 'grace%' } }],
    id: { $in: [ada.id, grace.id] },
  };
  expect(await found({ ...both, $sort: { first_name: -1 }, $select: ['id', 'first_name'] })).toMatchObject({
    total: 2,
    data: [
      { id: grace.id, first_name: 'Grace' },
      { id: ada.id, first_name: 'Ada' },
    ],
  });
  expect(await contacts.get(ada.id, { headers })).toMatchObject({ tags: 'buyer' });
  expect(await contacts.remove(ada.id, { headers })).toMatchObject({ id: ada.id });
  await expect(contacts.get(ada.id, { headers })).rejects.toThrow(NotFound);
  await expect(contacts.get(ada.id, { headers })).rejects.toMatchObject({
    code: 404,
    className: 'not-found',
  });
  await expect(found({ nmae: 'Ada' })).rejects.toMatchObject({
    name: 'BadRequest',
    errors: { nmae: expect.any(String) },
  });
  await expect(contacts.get(grace.id)).rejects.toMatchObject({ name: 'NotAuthenticated', code: 401 });
});
