import { html } from '@crm/html';
import type { SignedInUser } from '../sessions/session.queries.ts';

/** Shows the user whose account the page is about. */
export const whoView = ({ name, email }: SignedInUser) => html`<div class="who">
<span class="avatar" aria-hidden="true">${initialsOf(name)}</span>
<div>
<p class="name">${name}</p>
${name !== email && html`<p class="muted">${email}</p>`}
</div>
</div>`;

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1);
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
