import { type Command, Option } from 'commander';
import { reporting } from './command-line.ts';
import type { AssignFlags } from './commands/assign-contacts.ts';
import type { ExportFlags, ImportFlags } from './commands/contacts.ts';

const mapHelp =
  'fields of columns, such as "Cell #=mobile_phone,Pet=custom:Pet name,Notes="; *=custom makes all other columns custom fields';

export function addContacts(program: Command, env: NodeJS.ProcessEnv) {
  const contacts = program
    .command('contacts')
    .description('import and export contacts as CSV; assign those of a user who leaves');
  const json = (): boolean => program.opts<{ json?: boolean }>().json ?? false;
  contacts
    .command('import')
    .description('import contacts from a CSV file; an interrupted import can be rerun')
    .argument('<file>', 'CSV in UTF-8 with a header row')
    .option(
      '--user <email|id>',
      'the user who will own the contacts (default: the users named in the column owner)',
    )
    .option('--dry-run', 'write nothing and report what an import would do')
    .addOption(
      new Option('--duplicates <what>', 'what to do with rows of existing contacts')
        .choices(['update', 'skip', 'create'])
        .default('skip'),
    )
    .addOption(
      new Option(
        '--match <what>',
        'how existing contacts are found: by e-mail address, mobile phone or either',
      )
        .choices(['email', 'phone', 'both'])
        .default('both'),
    )
    .option('--map <Header=field,…>', mapHelp)
    .option('--create-missing', 'create custom fields and hotnesses that do not exist')
    .action(
      reporting(async (file: string, flags: ImportFlags) =>
        (await import('./commands/contacts.ts')).importInto(env, file, flags, json()),
      ),
    );
  addExport(contacts, env, json);
  addAssign(contacts, env, json);
}

function addExport(contacts: Command, env: NodeJS.ProcessEnv, json: () => boolean) {
  contacts
    .command('export')
    .description('write contacts as CSV that can be imported again')
    .option('--user <email|id>', 'only the contacts of this user')
    .option('--output <file>', 'write to a file instead of standard output')
    .action(
      reporting(async (flags: ExportFlags) =>
        (await import('./commands/contacts.ts')).exportFrom(env, flags, json()),
      ),
    );
}

function addAssign(contacts: Command, env: NodeJS.ProcessEnv, json: () => boolean) {
  contacts
    .command('assign')
    .description(
      'assign the contacts of a user who leaves to another user; an interrupted run can be repeated',
    )
    .requiredOption('--from <email|id>', 'the owner of the contacts; the account may be disabled')
    .requiredOption('--to <email|id>', 'the user who gets them; the account must be enabled')
    .option('--all', 'also those that are assigned to somebody else')
    .option('--dry-run', 'assign nothing and count what would be assigned')
    .action(
      reporting(async (flags: AssignFlags) =>
        (await import('./commands/contacts.ts')).assignFrom(env, flags, json()),
      ),
    );
}
