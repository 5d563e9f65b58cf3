import { expect, it } from 'vitest';
import { nearestPathIn } from './nearest-path.ts';

const nearest = nearestPathIn([
  '/tasks',
  '/tasks/:id',
  '/api/v1/scheduled/tasks',
  '/api/v1/scheduled/tasks/:id',
]);

it.each([
  ['/scheduled/tasks', '/api/v1/scheduled/tasks'],
  ['/scheduled/tasks/7', '/api/v1/scheduled/tasks/7'],
  ['/v1/scheduled/tsaks', '/api/v1/scheduled/tasks'],
  ['/api/v2/scheduled/tasks/7', '/api/v1/scheduled/tasks/7'],
  ['/api/v1/scheduled/task', '/api/v1/scheduled/tasks'],
  ['/api/v1/tasks', '/tasks'],
  ['/task/7', '/tasks/7'],
  ['/api/v1', undefined],
  ['/tasks', undefined],
])('%s was meant to be %s, whatever its version', (sent, meant) => {
  expect(nearest(sent)).toBe(meant);
});
