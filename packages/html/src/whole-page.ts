import { hash } from 'node:crypto';
import { design } from './design.ts';
import { type Content, html, styleElement } from './html.ts';

const styleHash = hash('sha256', design, 'base64');

/** The page may use its own style, an empty icon and its own forms: no scripts, no other origins, no framing. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

/** The markup of a complete page that loads nothing else. */
export function wholePage({
  title,
  top,
  main,
}: {
  readonly title: string;
  readonly top: Content;
  readonly main: Content;
}): string {
  return html`<!doctype html>
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
${top}
${main}
</body>
</html>
`.markup;
}

export const brand = html`<span class="mark" aria-hidden="true"></span>CRM`;
