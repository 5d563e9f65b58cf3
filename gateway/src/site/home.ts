import { html, publicPage } from '@crm/html';
import type { FastifyInstance } from 'fastify';
import { whyUnrouted } from '../paths.ts';
import { guides } from './guides.ts';

const tiles = [
  [
    '/docs',
    'API reference',
    'Every operation with its fields, its errors, and sample requests that you can send.',
  ],
  [
    '/account',
    'Your account',
    'Sign in, register an application, and create an access token for your own software.',
  ],
] as const;

const addresses = [
  ['/openapi.json', 'The API as an OpenAPI 3.1 document, to generate clients from'],
  ['/asyncapi.json', 'The events between services as an AsyncAPI 3.1 document'],
  [
    '/.well-known/oauth-authorization-server',
    'Where applications obtain tokens, for OAuth clients (RFC 8414)',
  ],
  ['/.well-known/api-catalog', 'An index of these addresses for programs (RFC 9727)'],
  ['/healthz', 'Whether this process is alive'],
  ['/readyz', 'Whether it accepts requests'],
  ['/status', 'Whether each service behind it is ready'],
] as const;

const page = publicPage({
  title: 'A CRM for real estate',
  main: html`<div class="heading">
<h1>A CRM for real-estate agents, brokers and teams</h1>
<p class="lead">This is the API of a customer-relationship-management back end: contacts, leads and their
distribution, campaigns of e-mails, texts and calls, tasks, and access rights.</p>
</div>
<ul class="tiles">
${tiles.map(
  ([path, name, text]) => html`<li><a class="tile" href="${path}">
<span class="name">${name}</span>
<span class="muted">${text}</span>
</a></li>`,
)}
</ul>
<section class="card" aria-labelledby="first-call">
<div class="heading">
<h2 id="first-call">The first call</h2>
<p class="muted">Create an access token in <a href="/account/applications">your account</a> and ask who you are,
with the address of this page as <code>URL</code>.</p>
</div>
<pre class="code"><code>curl -H "Authorization: Bearer $TOKEN" "$URL/me"</code></pre>
</section>
<section class="card" aria-labelledby="guides">
<h2 id="guides">Guides</h2>
<ul class="pages">
${guides.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}
</ul>
</section>
<section class="card" aria-labelledby="programs">
<h2 id="programs">For programs</h2>
<dl class="addresses">
${addresses.map(
  ([path, text]) => html`<div>
<dt><a href="${path}"><code>${path}</code></a></dt>
<dd class="muted">${text}</dd>
</div>`,
)}
</dl>
</section>`,
});

/** The front page, for browsers. For other clients the path remains unknown. */
export function mountHome(app: FastifyInstance): void {
  app.get('/', (request, reply) => {
    reply.header('vary', 'Accept');
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) throw whyUnrouted('GET', []);
    return reply.headers(page.headers).send(page.body);
  });
}
