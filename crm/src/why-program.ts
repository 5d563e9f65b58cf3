import type { Command } from 'commander';
import { reporting } from './command-line.ts';
import type { WhyOptions } from './commands/why.ts';

export function addWhy(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('why <kind> <id>')
    .description(
      'show which request caused a record or message, such as "lead 12" or "communication 7", and what else it caused',
    )
    .option('--since <time>', 'how far back, such as 90m, 12h or 7d, or a time', '30d')
    .addHelpText('after', help)
    .action(
      reporting(async (kind: string, id: string, options: WhyOptions) =>
        (await import('./commands/why.ts')).showWhy(env, { kind, id }, options),
      ),
    );
}

const help = `
Kinds are those of the audit log, such as contact, lead, offer, task and communication; lead-alert, lead-route-alert, task-alert,
text-notice and account-mail; "request" with the X-Request-Id of a response, and "published-event" with the id of an event.`;
