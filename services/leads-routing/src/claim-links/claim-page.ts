import { createHash } from 'node:crypto';
import type { WebAnswer } from '@crm/contract';
import { type Html, html, styleElement } from '@crm/html';
import { factsOf } from '../leads/lead-words.ts';
import type { ShownLead } from './claim-link.queries.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page can show itself and submit its one form: no scripts, no other origins, no framing. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  // Whoever knows the address of the page can claim the lead.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

interface PageContent {
  readonly status: number;
  readonly title: string;
  readonly content: Html;
}

function page({ status, title, content }: PageContent): WebAnswer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${styleElement(style)}
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { status, headers, body: markup };
}

interface LeadOnPage {
  readonly lead: ShownLead;
  /** The name of the lead's contact. */
  readonly contact: string;
}

/** The lead with one button. The form is posted to the address of the page itself. */
export const offeredPage = ({ lead, contact }: LeadOnPage): WebAnswer =>
  page({
    status: 200,
    title: contact,
    content: html`<p>You have been offered this lead. The first person to claim it gets it.</p>
${summaryOf(lead)}
<form method="post"><button>Claim this lead</button></form>`,
  });

export const yoursPage = ({ lead, contact }: LeadOnPage): WebAnswer =>
  page({
    status: 200,
    title: 'This lead is yours',
    content: html`<p>You have claimed lead ${lead.lead_id}: ${contact}.</p>
${summaryOf(lead)}`,
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

/** For a link that is forged, damaged or expired; the page does not tell which. */
export const unknownPage = (): WebAnswer =>
  page({
    status: 404,
    title: 'This link does not work',
    content: html`<p>It may have expired, or it was not copied in full. Check for a newer message.</p>`,
  });

const summaryOf = (lead: ShownLead) =>
  html`<dl>${factsOf(lead).map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
