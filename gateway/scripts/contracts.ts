import { readFile, writeFile } from 'node:fs/promises';
import { contractFiles } from './contract-files.ts';

for (const { name, file, text } of contractFiles()) {
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(
      `${name} is out of date. Update it with \`npm run contracts\` and review the diff.\n`,
    );
    process.exitCode = 1;
  }
}
