import { find, id, instant, integer, notFound, operation, pageOf, record, text } from '@crm/contract';
import { z } from 'zod';

export const StaticListView = z.object({
  id,
  list_name: text(255).min(1, { error: 'must not be empty' }),
  owner_user_id: id.describe('The user who created it'),
  has_custom_audience: integer.describe('0 or 1'),
  created_at: instant,
  modified_at: instant,
});

export const staticListApi = {
  find: operation({
    rest: 'GET /static-lists',
    summary: 'List static lists, whose contacts are added by hand',
    input: find(StaticListView),
    output: pageOf(StaticListView),
  }),
  get: operation({
    rest: 'GET /static-lists/:id',
    summary: 'Read a static list',
    input: record(StaticListView, { id }),
    output: StaticListView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /static-lists',
    summary: 'Add a static list; its name cannot be changed',
    input: StaticListView.pick({ list_name: true }),
    output: StaticListView,
  }),
  remove: operation({
    rest: 'DELETE /static-lists/:id',
    summary: 'Remove a static list, but not its contacts',
    input: record(StaticListView, { id }),
    output: StaticListView,
    refuses: [notFound],
  }),
};
