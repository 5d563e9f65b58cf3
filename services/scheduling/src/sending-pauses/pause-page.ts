import type { WebAnswer } from '@crm/contract';
import { html, standalonePage } from '@crm/html';

export const sendingPath = '/account/sending';

interface Viewer {
  readonly form_token: string;
  readonly timezone: string;
}

/** Since when messages are stopped: by the user, and by the operator for everybody. */
interface Pauses {
  readonly own: string | undefined;
  readonly everybody: string | undefined;
}

/** Whether messages are sent on behalf of a user, and the switch. */
export function pausePage({ form_token, timezone }: Viewer, { own, everybody }: Pauses): WebAnswer {
  const at = (moment: string) =>
    new Date(moment).toLocaleString('en-US', { timeZone: timezone, dateStyle: 'long', timeStyle: 'short' });
  const state = own
    ? html`<p><strong>Stopped since ${at(own)}.</strong> Nothing is sent to your contacts. What becomes due waits; when you
resume, what is more than an hour late is moved to another day.</p>`
    : html`<p><strong>Messages are sent.</strong> If you stop them, nothing more leaves from that moment on, not even what is
being prepared.</p>`;
  const button = own
    ? html`<button class="primary wide">Resume sending</button>`
    : html`<button class="danger wide">Stop sending</button>`;
  const content = html`
${everybody && html`<p>The operator has stopped the messages of everybody since ${at(everybody)}.</p>`}
${state}
<form method="post" action="${sendingPath}"><input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="sending" value="${own ? 'resume' : 'stop'}">${button}</form>
<p><a href="/account">Back to your account</a></p>`;
  return standalonePage({ status: 200, title: 'Messages of campaigns', content });
}

export const foreignFormPage = (): WebAnswer =>
  standalonePage({
    status: 403,
    title: 'This form is no longer valid',
    content: html`<p>It belongs to another session, or was sent from another site. Nothing was changed.</p>
<p><a href="${sendingPath}">Open the page again</a></p>`,
  });
