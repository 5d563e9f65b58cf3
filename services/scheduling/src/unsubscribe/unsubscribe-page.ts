import type { WebAnswer } from '@crm/contract';
import { type Html, html, standalonePage } from '@crm/html';

const page = (status: number, title: string, content: Html): WebAnswer =>
  standalonePage({ status, title, content });

const button = html`<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="primary wide">Unsubscribe</button></form>`;

export const askPage = (): WebAnswer =>
  page(
    200,
    'Unsubscribe',
    html`<p>Press the button to stop campaign e-mails to this address.</p>\n${button}`,
  );

export const donePage = (): WebAnswer =>
  page(200, 'You are unsubscribed', html`<p>You will get no more campaign e-mails at this address.</p>`);

export const incompletePage = (): WebAnswer =>
  page(400, 'You are not unsubscribed yet', html`<p>Press the button to unsubscribe.</p>\n${button}`);

export const unknownPage = (): WebAnswer =>
  page(
    404,
    'This link does not work',
    html`<p>It was not copied in full, or its e-mail was sent long ago.</p>`,
  );
