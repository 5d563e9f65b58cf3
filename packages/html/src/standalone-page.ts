import { type Content, html } from './html.ts';
import { brand, pageHeaders, wholePage } from './whole-page.ts';

/** For answers whose address is a secret: nobody keeps it, passes it on or lists it. */
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
  /** For tables. */
  readonly isWide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page for whoever has its address, without sign-in, on a phone as well. It loads nothing else. */
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
