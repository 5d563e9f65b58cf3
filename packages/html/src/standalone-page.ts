import { createHash } from 'node:crypto';
import { design } from './design.ts';
import { type Content, html, styleElement } from './html.ts';

const styleHash = createHash('sha256').update(design).digest('base64');

/** For answers whose address is a secret: nobody keeps it, passes it on or lists it. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** It can show itself, its empty icon, and submit its forms: no scripts, no other origins, no framing. */
const headers = {
  ...privateHeaders,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

interface StandalonePage {
  readonly status: number;
  readonly title: string;
  readonly content: Content;
}

/** A page for whoever has its address, without sign-in, on a phone as well. It loads nothing else. */
export function standalonePage({ status, title, content }: StandalonePage) {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleElement(design)}
</head>
<body>
<header class="top"><span class="brand"><span class="mark" aria-hidden="true"></span>CRM</span></header>
<main>
<section class="card narrow">
<h1>${title}</h1>
${content}
</section>
</main>
</body>
</html>
`;
  return { status, headers, body: markup };
}
