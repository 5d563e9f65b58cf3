import { type Command, Option } from 'commander';
import { reporting } from './command-line.ts';
import type { ExportOptions, ImportOptions } from './commands/contacts.ts';

const mapHelp = 'what columns are, where their headers do not say, such as "Cell #=mobile_phone,Notes="';

export function addContacts(program: Command, env: NodeJS.ProcessEnv) {
  const contacts = program.command('contacts').description('contacts as CSV, in and out');
  const json = (): boolean => program.opts<{ json?: boolean }>().json ?? false;
  contacts
    .command('import')
    .description('add contacts from a CSV file; one that was broken off can be run again')
    .argument('<file>', 'CSV in UTF-8 with a line of headers')
    .requiredOption('--user <email|id>', 'whose contacts they become')
    .option('--dry-run', 'write nothing and tell what would be done')
    .addOption(
      new Option('--duplicates <what>', 'what is done with a row whose contact is there')
        .choices(['update', 'skip'])
        .default('skip'),
    )
    .addOption(
      new Option('--match <what>', 'by what a contact is found: e-mail address, mobile phone, or either')
        .choices(['email', 'phone', 'both'])
        .default('both'),
    )
    .option('--map <Header=field,…>', mapHelp)
    .action(
      reporting(async (file: string, options: ImportOptions) =>
        (await import('./commands/contacts.ts')).importInto(env, file, options, json()),
      ),
    );
  contacts
    .command('export')
    .description('write contacts as CSV, which can be imported again')
    .option('--user <email|id>', 'only those that belong to this user')
    .option('--output <file>', 'where to, in place of standard output')
    .action(
      reporting(async (options: ExportOptions) =>
        (await import('./commands/contacts.ts')).exportFrom(env, options, json()),
      ),
    );
}
