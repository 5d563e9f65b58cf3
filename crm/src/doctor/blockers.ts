import { z } from 'zod';
import { type Finding, problem } from './finding.ts';

const Blocker = z.object({
  pid: z.number(),
  user: z.string(),
  application: z.string(),
  waiting: z.number(),
  isWaiting: z.boolean(),
});

export const Blockers = z.array(Blocker);

/** The database sessions that block those of a service, with the statements that inspect and end them. */
export const checkBlockers = (name: string, blockers: z.output<typeof Blockers>): Finding[] =>
  blockers.map(({ pid, user, application, waiting, isWaiting }) =>
    problem(
      `${name} database`,
      `session ${pid} of ${user}${application && ` (${application})`} blocks connections of the service: ${waiting}${isWaiting ? '; another session blocks it' : ''}`,
      `Look at it with \`select * from pg_stat_activity where pid = ${pid}\`, and end it with \`select pg_terminate_backend(${pid})\`, as an administrator of the database.`,
    ),
  );
