import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { AuditFilter } from './commands/audit.ts';

export function addAudit(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('audit')
    .description('show who did what to which record, in all services, newest first')
    .option('--user <email|id>', 'what this user did, and what was done on behalf of the user')
    .option('--since <time>', 'how far back, such as 90m, 12h or 7d, or a time', '7d')
    .option('--record <type/id>', 'only about this record, such as contact/12')
    .option('--limit <count>', 'maximum number', '100')
    .action(
      reporting(async (filter: AuditFilter) => (await import('./commands/audit.ts')).showAudit(env, filter)),
    );
}
