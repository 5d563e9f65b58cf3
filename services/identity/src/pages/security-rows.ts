import { html } from '@crm/html';
import { browserName } from '../security-events/browser-name.ts';
import type { EventKind, NotedEvent } from '../security-events/security-event.queries.ts';
import type { KnownDevice } from '../sessions/known-device.queries.ts';
import type { ListedToken } from '../tokens/own-tokens.queries.ts';
import { paths } from './paths.ts';
import { showDate, showTime } from './show-date.ts';
import { formTo, type Visit } from './visit.ts';

export function deviceRow(visit: Visit, device: KnownDevice) {
  const { id, address, user_agent, last_used_at, is_current, is_signed_in } = device;
  const name = browserName(user_agent);
  const state = is_current ? 'this browser' : is_signed_in ? 'signed in' : 'signed out';
  return html`<li>
<div class="heading">
<h3>${name} <span class="tag">${state}</span></h3>
<p class="muted small">Last used ${showTime(last_used_at, visit.user.timezone)} · from ${address}</p>
</div>
${
  !is_current &&
  formTo(
    visit,
    paths.deviceEnd(id),
    html`<button class="danger" aria-label="Sign out and forget ${name} from ${address}">Sign out and forget</button>`,
  )
}
</li>`;
}

export function tokenRow(visit: Visit, { id, name, scope, expires_at, last_used_at }: ListedToken) {
  const { timezone } = visit.user;
  return html`<li>
<div class="heading">
<h3>${name} <span class="tag">${scope}</span></h3>
<p class="muted small">Valid until ${showDate(expires_at, timezone)} ·
${last_used_at === null ? 'never used' : html`last used ${showTime(last_used_at, timezone)}`}</p>
</div>
${formTo(
  visit,
  paths.ownTokenRevocation(id),
  html`<button class="danger" aria-label="Revoke the token ${name}">Revoke</button>`,
)}
</li>`;
}

export const eventRow = ({ user }: Visit, { kind, about, happened_at, ...from }: NotedEvent) => html`<li>
<div class="heading">
<p>${sentences[kind]}${about !== null && html`: ${about}`}</p>
<p class="muted small">${showTime(happened_at, user.timezone)}${
  from.address !== null &&
  html` · ${from.user_agent !== null && `${browserName(from.user_agent)} · `}${from.address}`
}</p>
</div>
</li>`;

const sentences: Readonly<Record<EventKind, string>> = {
  'signed in': 'Signed in',
  'signed in on a new device': 'Signed in with a new browser',
  'sign-in failed': 'A wrong password was entered',
  'signed out a device': 'Signed a browser out',
  'signed out everywhere': 'Signed out everywhere',
  invited: 'You were invited to choose a password',
  'invited to a team': 'You were invited to a team',
  'password changed': 'The password was changed',
  'password reset': 'A new password was chosen with a link',
  'password reset requested': 'A link to choose a new password was sent',
  'token created': 'An access token was created',
  'token revoked': 'An access token was revoked',
  'application registered': 'An application was registered',
  'application allowed': 'An application was allowed to use the account',
  'application withdrawn': 'The access of an application was withdrawn',
  'refresh token repeated': 'An application used a refresh token again',
  'refresh token misused': 'A refresh token was used again, and the access of the application was ended',
  'broker allowed': 'A broker was allowed to act for you',
  'broker ended': 'A broker may no longer act for you',
};
