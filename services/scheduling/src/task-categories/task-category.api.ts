import { find, forbidden, id, instant, notFound, operation, pageOf, record, text } from '@crm/contract';
import { z } from 'zod';

export const TaskCategoryView = z.object({
  id,
  name: text(200)
    .min(1, { error: 'must not be empty' })
    .meta({ examples: ['Showing'] }),
  user_id: id.nullable().describe('The user who created it; null for categories that everyone has'),
  created_at: instant,
  modified_at: instant,
});

const draft = TaskCategoryView.pick({ name: true });

export const taskCategoryApi = {
  find: operation({
    rest: 'GET /api/v1/task-categories',
    summary: "List task categories: those that everyone has, and the caller's own",
    input: find(TaskCategoryView),
    output: pageOf(TaskCategoryView),
  }),
  get: operation({
    rest: 'GET /api/v1/task-categories/:id',
    summary: 'Read a task category',
    input: record(TaskCategoryView, { id }),
    output: TaskCategoryView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /api/v1/task-categories',
    summary: 'Add a task category',
    input: draft,
    output: TaskCategoryView,
  }),
  patch: operation({
    rest: 'PATCH /api/v1/task-categories/:id',
    summary: "Rename one of the caller's own task categories",
    input: record(TaskCategoryView, { id, ...draft.partial().shape }),
    output: TaskCategoryView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /api/v1/task-categories/:id',
    summary: "Remove one of the caller's own task categories; its tasks then have none",
    input: record(TaskCategoryView, { id }),
    output: TaskCategoryView,
    refuses: [notFound, forbidden],
  }),
};
