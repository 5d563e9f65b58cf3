import { readFile, writeFile } from 'node:fs/promises';
import { eventDocuments } from './event-documents.ts';

for (const { name, file, text } of await eventDocuments()) {
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(
      `${name} does not describe the events as they are. Write it anew with \`npm run events\`, and read the difference.\n`,
    );
    process.exitCode = 1;
  }
}
