import { type Content, html } from './html.ts';
import { brand, pageHeaders, wholePage } from './whole-page.ts';

/** Caches may store a page that is the same for everybody, but must revalidate it each time. */
const headers = { ...pageHeaders, 'cache-control': 'no-cache' };

interface PublicPage {
  readonly title: string;
  readonly main: Content;
}

/** A public page that says where things are and how to use them. */
export function publicPage({ title, main }: PublicPage) {
  const top = html`<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/">${brand}</a></header>`;
  const whole = { title: `${title} · CRM`, top, main: html`<main id="main" tabindex="-1">${main}</main>` };
  return { headers, body: wholePage(whole) };
}
