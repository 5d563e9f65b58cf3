import type { WebAnswer } from '@crm/contract';
import { html, standalonePage, type Visitor } from '@crm/html';
import { showMoment } from '../account-pages/show-moment.ts';

export const sendingPath = '/account/sending';

/** Since when messages are stopped: by the user, by the operator for the user, and for everybody. */
interface Pauses {
  readonly own: string | undefined;
  readonly byOperator: string | undefined;
  readonly everybody: string | undefined;
}

/** Whether messages are sent on behalf of a user, and the switch. */
export function pausePage(
  { form_token, timezone }: Visitor,
  { own, byOperator, everybody }: Pauses,
): WebAnswer {
  const at = (moment: string) => showMoment(moment, timezone);
  const state = own
    ? html`<p><strong>Stopped since ${at(own)}.</strong> Nothing is sent on your behalf. Messages that become due wait; when you
resume, those that are more than an hour late are moved to another day.</p>`
    : byOperator || everybody
      ? html`<p><strong>Messages are stopped by the operator.</strong> Messages that become due wait.</p>`
      : html`<p><strong>Messages are sent.</strong> If you stop them, nothing is sent from that moment on, not even what is
being prepared.</p>`;
  const button = own
    ? html`<button class="primary wide">Resume sending</button>`
    : html`<button class="danger wide">Stop sending</button>`;
  const content = html`
${byOperator && html`<p>The operator stopped your messages on ${at(byOperator)}, and only the operator can resume them.</p>`}
${everybody && html`<p>The operator stopped the messages of everybody on ${at(everybody)}.</p>`}
${state}
<form method="post" action="${sendingPath}"><input type="hidden" name="form_token" value="${form_token}"><input type="hidden" name="sending" value="${own ? 'resume' : 'stop'}">${button}</form>
<p><a href="/account">Back to your account</a></p>`;
  return standalonePage({ status: 200, title: 'Campaign messages', content });
}
