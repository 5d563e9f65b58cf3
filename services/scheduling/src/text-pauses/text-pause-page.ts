import type { WebAnswer } from '@crm/contract';
import { type Content, html, standalonePage, type Visitor } from '@crm/html';
import { showMoment } from '../account-pages/show-moment.ts';
import type { Decision } from './decide-texts.ts';
import type { PausedContact } from './paused-contacts.ts';

export const pausedTextsPath = '/account/paused-texts';

/** The result of the form. */
export type Result = Decision | 'nothing';

const results: Readonly<Record<string, string>> = {
  continue: 'The texts continue.',
  end: 'The number gets no more texts until it sends START.',
  nothing:
    'Nothing was changed: texts to this contact are no longer paused, or you can no longer see the contact.',
} satisfies Readonly<Record<Result, string>>;

/** The contacts who asked to be left alone, with the possible decisions about each. */
export function pausedTextsPage(
  visitor: Visitor,
  contacts: readonly PausedContact[],
  result: string | null,
): WebAnswer {
  const said = results[result ?? ''];
  const content = html`
${said && html`<div class="notice" role="status"><p>${said}</p></div>`}
${
  contacts.length > 0
    ? html`<p>These contacts seem to have asked to be left alone. Texts to them are paused until you decide.</p>
<ul class="stack">${contacts.map((contact) => contactView(visitor, contact))}</ul>`
    : html`<p>No contact is waiting for your decision.</p>`
}
<p><a href="/account">Back to your account</a></p>`;
  return standalonePage({ status: 200, title: 'Paused texts', content });
}

const contactView = ({ form_token, timezone }: Visitor, contact: PausedContact): Content => {
  const { id, name, number, words, paused_at } = contact;
  return html`<li class="stack">
<h2>${name}</h2>
<p class="muted small">${number}, ${showMoment(paused_at, timezone)}</p>
${words !== null && html`<blockquote>${words}</blockquote>`}
<form class="actions" method="post" action="${pausedTextsPath}">
<input type="hidden" name="form_token" value="${form_token}">
<input type="hidden" name="contact_id" value="${id}">
<button name="texts" value="continue" aria-label="Continue the texts to ${name}">Continue</button>
<button class="danger" name="texts" value="end" aria-label="End the texts to ${name}">End for good</button>
</form>
</li>`;
};
