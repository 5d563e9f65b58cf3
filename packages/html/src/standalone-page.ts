import { type Content, html } from './html.ts';
import { brand, pageHeaders, wholePage } from './whole-page.ts';

/** For responses with a secret URL: they must not be cached, referred to or indexed. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

const headers = { ...privateHeaders, ...pageHeaders };

interface StandalonePage {
  readonly status: number;
  readonly title: string;
  readonly content: Content;
  /** For pages with tables. */
  readonly isWide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page for whoever has its URL, without sign-in, which also works on a phone. It loads nothing else. */
export function standalonePage({ status, title, content, isWide = false, headers: more }: StandalonePage) {
  const top = html`<header class="top"><span class="brand">${brand}</span></header>`;
  const main = html`<main>
<section class="card${!isWide && ' narrow'}">
<h1>${title}</h1>
${content}
</section>
</main>`;
  return { status, headers: { ...headers, ...more }, body: wholePage({ title, top, main }) };
}
