import type { Command } from 'commander';
import { type Report, reporting } from './command-line.ts';

/** The commands for the keys of the data folder. */
export function addKeys(program: Command, env: NodeJS.ProcessEnv) {
  const keys = program.command('keys').description('manage the keys of the data folder');
  keys
    .command('rotate')
    .description('replace one key; the system uses the new one after its next start')
    .argument('<name>', 'such as claim-key or service-token-scheduling')
    .action(reporting((name: string) => rotate(env, name)));
  keys
    .command('platform')
    .description('show the token with which programs of other teams subscribe to events')
    .action(reporting(() => showPlatform(env)));
}

async function rotate(env: NodeJS.ProcessEnv, name: string): Promise<Report> {
  const { dataFolderOf } = await import('./system/data-folder.ts');
  const { rotateKey } = await import('./system/secrets.ts');
  rotateKey(dataFolderOf(env), name);
  return { json: { rotated: name }, text: `The key ${name} was replaced. Restart the system to use it.` };
}

async function showPlatform(env: NodeJS.ProcessEnv): Promise<Report> {
  const { dataFolderOf } = await import('./system/data-folder.ts');
  const { platformToken } = await import('./system/secrets.ts');
  const token = platformToken(dataFolderOf(env));
  return { json: { token }, text: token };
}
