import type { Command } from 'commander';
import { type Report, reporting } from './command-line.ts';

/** The command for the keys of the data folder. */
export function addKeys(program: Command, env: NodeJS.ProcessEnv) {
  program
    .command('keys')
    .description('manage the keys of the data folder')
    .command('rotate')
    .description('replace one key; the system uses the new one from its next start')
    .argument('<name>', 'such as claim-key or service-token-scheduling')
    .action(reporting((name: string) => rotate(env, name)));
}

async function rotate(env: NodeJS.ProcessEnv, name: string): Promise<Report> {
  const { dataFolderOf } = await import('./system/data-folder.ts');
  const { rotateKey } = await import('./system/secrets.ts');
  rotateKey(dataFolderOf(env), name);
  return { json: { rotated: name }, text: `The key ${name} was replaced. Restart the system to use it.` };
}
