import { readFileSync } from 'node:fs';
import { html, publicPage } from '@crm/html';
import type { FastifyInstance } from 'fastify';
import { markup } from './markdown.ts';
import { publishedFile } from './published-file.ts';

const folder = new URL('../../../docs/guides/', import.meta.url);

const names = [
  'first-call',
  'sign-in',
  'lists-and-filters',
  'changes',
  'bulk',
  'errors',
  'error-codes',
  'idempotency',
  'events',
  'leads',
  'campaigns',
  'recurring-tasks',
  'limits',
  'moving',
] as const;

/** In reading order. The first line of a file is its title. */
export const guides = names.map((name) => {
  const text = readFileSync(new URL(`${name}.md`, folder), 'utf8');
  return { path: `/guides/${name}`, title: text.slice(2, text.indexOf('\n')), text };
});

/** An index for programs that read text, in the format of llmstxt.org. */
const index = `# CRM API

> The API of a customer-relationship-management back end for real-estate agents, brokers and teams.

## Guides

${guides.map(({ path, title }) => `- [${title}](${path}.md)`).join('\n')}

## Reference

- [OpenAPI document](/openapi.json): every operation, with its fields and errors
- [AsyncAPI document](/asyncapi.json): the events that services publish
`;

/** Each guide as a page, and as Markdown with the ending .md. */
export function mountGuides(app: FastifyInstance): void {
  for (const { path, title, text } of guides) {
    const { headers, body } = publicPage({ title, main: pageOf(path, text) });
    const policy = headers['content-security-policy'];
    app.get(path, publishedFile({ type: headers['content-type'], policy, content: () => body }));
    app.get(`${path}.md`, publishedFile({ type: 'text/markdown; charset=utf-8', content: () => text }));
  }
  app.get('/llms.txt', publishedFile({ type: 'text/plain; charset=utf-8', content: () => index }));
}

export const guidePaths = ['/llms.txt', ...guides.flatMap(({ path }) => [path, `${path}.md`])];

const pageOf = (current: string, text: string) => html`<article class="card prose">${markup(text)}</article>
<nav class="card" aria-labelledby="guides">
<h2 id="guides">Guides</h2>
<ul class="pages">
${guides.map(
  ({ path, title }) =>
    html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${title}</a></li>`,
)}
</ul>
</nav>`;
