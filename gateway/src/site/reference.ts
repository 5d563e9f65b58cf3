import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

/** The page loads nothing from other servers and has no inline script, so that the policy can forbid both. */
const page = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>CRM API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
};

const resolve = createRequire(import.meta.url).resolve;
const shipped = (name: string) => readFileSync(resolve(`swagger-ui-dist/${name}`));

/** The page at /docs: a fixed list of files, so that no other file is reachable. */
export function mountReference(app: FastifyInstance): void {
  const files: readonly [url: string, type: string, content: string | Buffer][] = [
    ['/docs', types.html, page],
    ['/docs/start.js', types.js, start],
    ['/docs/swagger-ui.css', types.css, shipped('swagger-ui.css')],
    ['/docs/swagger-ui-bundle.js', types.js, shipped('swagger-ui-bundle.js')],
    ['/docs/favicon-32x32.png', types.png, shipped('favicon-32x32.png')],
  ];
  for (const [url, type, content] of files) {
    const headers = {
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': type === types.html ? 'no-cache' : 'public, max-age=3600',
    };
    app.get(url, (_request, reply) => reply.headers(headers).send(content));
  }
}
