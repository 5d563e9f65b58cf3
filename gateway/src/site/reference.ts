import { readFile } from 'node:fs/promises';
import { palette } from '@crm/html';
import Fastify, { type FastifyInstance } from 'fastify';
import { publishedFile } from './published-file.ts';

/** It loads nothing from other servers and has no inline script, so that the policy can forbid both. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · CRM</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideDarkModeToggle: true,
  documentDownloadType: 'json',
  // The document has samples of its own.
  hiddenClients: true,
  // To sign in, a user enters the client id of an application that has this page among its redirect URIs.
  authentication: { securitySchemes: { oauth: { flows: { authorizationCode: { 'x-usePkce': 'SHA-256' } } } } },
  metaData: { title: 'API reference · CRM' },
});

// Its buttons that copy a sample and its fields to sign in have no name, which screen readers would miss.
const nameControls = () => {
  for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const field of document.querySelectorAll('td [role="combobox"]:not([aria-label])')) {
    const label = field.closest('td').querySelector('label');
    if (label) field.setAttribute('aria-label', label.textContent);
    if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false');
  }
};

// The response to a request shows the address of an error's entry as a text that cannot be followed.
const linkErrors = () => {
  for (const editor of document.querySelectorAll('[role="dialog"] .cm-editor')) {
    const [, docs] = editor.textContent.match(/"docs": "([^"]*)"/) ?? [];
    const { pathname, hash } = new URL(docs ?? '/', location.href);
    const linked = editor.parentElement.querySelector('.fix');
    if (!pathname.startsWith('/guides/')) linked?.remove();
    else if (linked?.getAttribute('href') !== pathname + hash) {
      const link = linked ?? document.createElement('a');
      Object.assign(link, { className: 'fix', target: '_blank', href: pathname + hash });
      link.textContent = 'How to fix this error';
      editor.before(link);
    }
  }
};
new MutationObserver(() => {
  nameControls();
  linkErrors();
}).observe(document.body, { childList: true, subtree: true, characterData: true });
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer adds style sheets and attributes while it renders. They can run nothing, and load nothing from elsewhere.
  "style-src 'self' 'unsafe-inline'",
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
};

/** The page at /docs, which shows the OpenAPI document: a fixed list of files, so that no other file is reachable. */
export function mountReference(app: FastifyInstance): void {
  const files = {
    '/docs': publishedFile({ type: types.html, policy, content: () => page }),
    '/docs/style.css': publishedFile({ type: types.css, content: style }),
    '/docs/start.js': publishedFile({ type: types.js, content: () => start }),
    '/docs/viewer.js': publishedFile({ type: types.js, content: viewer }),
  };
  for (const [path, handler] of Object.entries(files)) app.get(path, handler);
}

const style = async () => palette + (await readFile(new URL('./reference.css', import.meta.url), 'utf8'));

/** The viewer's script. Its package offers it only as a route, so it is requested there. */
async function viewer(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  app.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { body } = await app.inject('/js/scalar.js');
  return body;
}
