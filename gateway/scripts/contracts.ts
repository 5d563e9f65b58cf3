import { readFile, writeFile } from 'node:fs/promises';
import { contractFiles } from './contract-files.ts';

for (const { name, file, text } of contractFiles()) {
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(
      `${name} does not describe the contract as it is. Write it anew with \`npm run contracts\`, and read the difference.\n`,
    );
    process.exitCode = 1;
  }
}
