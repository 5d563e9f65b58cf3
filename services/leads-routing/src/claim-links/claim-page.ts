import type { WebAnswer } from '@crm/contract';
import { numberToCall } from '@crm/delivery';
import { type Html, html, standalonePage as page } from '@crm/html';
import { factsOf, messageOf } from '../leads/lead-words.ts';
import type { ShownLead } from './claim-link.queries.ts';
import type { Card } from './vcard.ts';

interface LeadOnPage {
  readonly lead: ShownLead;
  /** The name of the lead's contact. */
  readonly contact: string;
}

/** The lead with two buttons. The forms post to addresses relative to the page, which contain the token. */
export const offeredPage = ({ lead, contact }: LeadOnPage, token: string): WebAnswer =>
  page({
    status: 200,
    title: contact,
    content: html`<p>You have been offered this lead. The first person to claim it gets it.</p>
${summaryOf(lead)}
<form method="post"><button class="primary wide">Claim this lead</button></form>
<form method="post" action="/claim/${token}/decline"><button class="wide">Decline</button></form>`,
  });

interface ClaimedLead extends LeadOnPage {
  /** How to reach the contact; undefined if the contact was removed. */
  readonly card: Card | undefined;
}

export const yoursPage = ({ lead, contact, card }: ClaimedLead, token: string): WebAnswer =>
  page({
    status: 200,
    title: 'This lead is yours',
    content: html`<p>You have claimed lead ${lead.lead_id}: ${contact}.</p>
${card && reachOf(card, token)}
${summaryOf(lead)}`,
  });

/** Buttons for an agent's first steps: call, text, write, and save the contact on the phone. */
function reachOf(card: Card, token: string): Html {
  const { email } = card;
  const { text, number, extension } = numberToCall(card) ?? asWritten(card);
  return html`<p class="stack">${number && html`<a class="button primary" href="tel:${dialed(number, extension)}">Call ${text}</a>`}
${number && extension === undefined && html`<a class="button" href="sms:${number}">Text</a>`}
${email && html`<a class="button" href="mailto:${addressInUrl(email)}">E-mail ${email}</a>`}
<a class="button" href="/claim/${token}/contact.vcf">Save contact</a></p>`;
}

/** The digits of a mobile phone number that cannot be parsed, such as a local one. */
const asWritten = ({ mobile_phone: text }: Card) => ({
  text,
  number: text?.replaceAll(/(?!^\+)[^\d]/g, ''),
  extension: undefined,
});

/** A URI that a phone dials (RFC 3966). */
const dialed = (number: string, extension: string | undefined): string =>
  extension === undefined ? number : `${number};ext=${extension}`;

/** Encodes everything except the @ between mailbox and host (RFC 6068). */
const addressInUrl = (email: string): string => email.split('@').map(encodeURIComponent).join('@');

export const declinedPage = (): WebAnswer =>
  page({
    status: 200,
    title: 'You have declined this lead',
    content: html`<p>The lead goes to the next member of your team, or to whoever submitted it.</p>`,
  });

export const lostPage = (status: 200 | 409, winner: string): WebAnswer =>
  page({
    status,
    title: 'Already claimed',
    content: html`<p>This lead was claimed by ${winner}.</p>`,
  });

export const notDuePage = (status: 200 | 403): WebAnswer =>
  page({
    status,
    title: 'Not your turn yet',
    content: html`<p>This lead has not been offered to you yet. Open the link again when it is your turn.</p>`,
  });

export const withdrawnPage = (status: 200 | 409): WebAnswer =>
  page({
    status,
    title: 'Offer withdrawn',
    content: html`<p>Your team no longer offers you this lead.</p>`,
  });

/** For a link that is forged, damaged or expired. The page does not say which. */
export const unknownPage = (): WebAnswer =>
  page({
    status: 404,
    title: 'This link does not work',
    content: html`<p>It may have expired, or it was not copied in full. Check for a newer message.</p>`,
  });

const summaryOf = (lead: ShownLead) => {
  const message = messageOf(lead);
  return html`${message !== '' && html`<blockquote>${message}</blockquote>`}
<dl class="details">${factsOf(lead).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
};
