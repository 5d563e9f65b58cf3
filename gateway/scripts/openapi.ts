import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument, routes, webRoutes } from '../src/index.ts';

const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument([...routes, ...webRoutes]), null, 2)}\n`;

if (process.argv.includes('--write')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  process.stderr.write(
    'gateway/openapi.json is out of date. Update it with `npm run openapi` and review the diff.\n',
  );
  process.exitCode = 1;
}
