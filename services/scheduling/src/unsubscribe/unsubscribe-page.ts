import { createHash } from 'node:crypto';
import type { WebAnswer } from '@crm/contract';
import { type Html, html, palette, styleElement } from '@crm/html';

const style = `${palette}
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.2; }
button { width: 100%; min-height: 3.25rem; border: 0; border-radius: 0.6rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 2px; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** No scripts, no other origins, no framing, and nothing about the recipient: links are forwarded. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

function page(status: number, title: string, content: Html): WebAnswer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleElement(style)}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers, body: markup };
}

const button = html`<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`;

export const askPage = (): WebAnswer =>
  page(200, 'Unsubscribe', html`<p>You will get no more campaign e-mails at this address.</p>\n${button}`);

export const donePage = (): WebAnswer =>
  page(200, 'You are unsubscribed', html`<p>You will get no more campaign e-mails at this address.</p>`);

export const incompletePage = (): WebAnswer =>
  page(400, 'You are not unsubscribed yet', html`<p>Press the button to unsubscribe.</p>\n${button}`);

export const unknownPage = (): WebAnswer =>
  page(
    404,
    'This link does not work',
    html`<p>It was not copied in full, or the sender has removed what it belongs to.</p>`,
  );
