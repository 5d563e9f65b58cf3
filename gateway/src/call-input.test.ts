import { find, id, operation, pageOf, type Refused } from '@crm/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { callInputOf } from './call-input.ts';
import { inputFieldsOf } from './input-fields.ts';
import { routesOf } from './routes.ts';

const PartView = z.object({ id, thing_id: id });
const parts = {
  find: operation({
    rest: 'GET /things/:thing_id/parts',
    summary: 'List the parts of a thing',
    input: find(PartView, { own: { thing_id: id } }),
    output: pageOf(PartView),
  }),
};
const [route = expect.fail()] = routesOf({ shop: { parts } });

const read = (query: Readonly<Record<string, unknown>>) =>
  callInputOf(route, inputFieldsOf(route.operation), {
    query,
    body: {},
    params: { thing_id: '7' },
    strict: false,
  });

it.each([['8'], [['7', '8']], [{ $ne: '7' }], ['']])(
  'a list under a record refuses a condition that the path contradicts: %j',
  (thing_id) => {
    let error: unknown;
    try {
      read({ thing_id });
    } catch (thrown) {
      error = thrown;
    }
    const { name, errors } = error as Refused;
    expect({ name, errors }).toEqual({
      name: 'BadRequest',
      errors: { thing_id: 'must be 7, as in the path' },
    });
  },
);

it('a list under a record accepts the value of its path as a condition, too', () => {
  expect(read({ thing_id: '7', $limit: '1' })).toEqual({ thing_id: '7', $limit: '1' });
  expect(read({ id: '3' })).toEqual({ thing_id: '7', id: '3' });
});
