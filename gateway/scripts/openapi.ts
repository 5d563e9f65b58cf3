import { readFile, writeFile } from 'node:fs/promises';
import { errorGuide, routes, webRoutes } from '../src/index.ts';
import { openApiDocument } from '../src/openapi/document.ts';

const files = {
  'gateway/openapi.json': `${JSON.stringify(openApiDocument([...routes, ...webRoutes]), null, 2)}\n`,
  'docs/guides/error-codes.md': errorGuide(),
};

for (const [path, text] of Object.entries(files)) {
  const file = new URL(`../../${path}`, import.meta.url);
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${path} is out of date. Update it with \`npm run openapi\` and review the diff.\n`);
    process.exitCode = 1;
  }
}
