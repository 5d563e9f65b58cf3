import { createHash } from 'node:crypto';
import type { WebAnswer } from '@crm/contract';
import { type Html, html, styleElement } from '@crm/html';
import { factsOf } from '../alerts/lead-words.ts';
import type { ShownLead } from './claim-link.queries.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** The page can show itself and send its one form; no script, nothing from elsewhere, in nobody's frame. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  // The address of the page is what claims the lead.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

interface Said {
  readonly status: number;
  readonly title: string;
  readonly more: Html;
}

function page({ status, title, more }: Said): WebAnswer {
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
${more}
</main>
</body>
</html>
`;
  return { status, headers, body: markup };
}

export interface Shown {
  readonly lead: ShownLead;
  /** Whom the lead is about. */
  readonly contact: string;
}

/** The lead with one button. The form goes to the address of the page itself. */
export const offeredPage = ({ lead, contact }: Shown): WebAnswer =>
  page({
    status: 200,
    title: contact,
    more: html`<p>This lead is offered to you. Whoever claims it first gets it.</p>
${summaryOf(lead)}
<form method="post"><button>Claim this lead</button></form>`,
  });

export const yoursPage = ({ lead, contact }: Shown): WebAnswer =>
  page({
    status: 200,
    title: 'The lead is yours',
    more: html`<p>You have claimed lead ${lead.lead_id}: ${contact}.</p>
${summaryOf(lead)}`,
  });

export const lostPage = (status: 200 | 409, winner: string): WebAnswer =>
  page({
    status,
    title: 'Already claimed',
    more: html`<p>The lead was claimed by ${winner}.</p>`,
  });

export const notDuePage = (status: 200 | 403): WebAnswer =>
  page({
    status,
    title: 'Not yet',
    more: html`<p>The lead is not offered to you yet. Open the link again when it is your turn.</p>`,
  });

export const withdrawnPage = (status: 200 | 409): WebAnswer =>
  page({
    status,
    title: 'Withdrawn',
    more: html`<p>The offer was withdrawn: your team does not offer you this lead any more.</p>`,
  });

/** For a link that was forged, mangled or is too old; nobody can tell which. */
export const unknownPage = (): WebAnswer =>
  page({
    status: 404,
    title: 'This link does not work',
    more: html`<p>It may be too old, or was not copied whole. Look for a newer message.</p>`,
  });

const summaryOf = (lead: ShownLead) =>
  html`<dl>${factsOf(lead).map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
