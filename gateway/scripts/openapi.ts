import { errorGuide, routes, webRoutes } from '../src/index.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { writeOrCompare } from './write-or-compare.ts';

const document = `${JSON.stringify(openApiDocument([...routes, ...webRoutes]), null, 2)}\n`;

await writeOrCompare(
  [
    { name: 'gateway/openapi.json', text: document },
    { name: 'docs/guides/error-codes.md', text: errorGuide() },
  ],
  'npm run openapi',
);
