import { readFile, writeFile } from 'node:fs/promises';
import { eventDocuments } from './event-documents.ts';

for (const { name, file, text } of await eventDocuments()) {
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(
      `${name} is out of date. Update it with \`npm run events\` and review the difference.\n`,
    );
    process.exitCode = 1;
  }
}
