import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument, routes, webRoutes } from '../src/index.ts';

const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument([...routes, ...webRoutes]), null, 2)}\n`;

if (process.argv.includes('--write')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  process.stderr.write(
    'gateway/openapi.json does not describe the API as it is. Write it anew with `npm run openapi`, and read the difference.\n',
  );
  process.exitCode = 1;
}
