import { type Html, html } from '@crm/html';
import type { Answered, Sent } from '../carrier-book.ts';
import type { CaughtMail } from '../mail.ts';

export interface Everything {
  readonly emails: readonly CaughtMail[];
  readonly sent: readonly Sent[];
  readonly answered: readonly Answered[];
}

/** A longer list would make the page slow. All messages are in /messages.json. */
const shownLimit = 200;

export function timeline({ emails, sent, answered }: Everything, refreshSeconds?: number): Html {
  const items = [
    ...emails.map((mail) => ({ at: mail.received_at, view: () => emailView(mail) })),
    ...sent.map((message) => ({ at: message.received_at, view: () => sentView(message) })),
    ...answered.map((answer) => ({ at: answer.received_at, view: () => answeredView(answer) })),
  ];
  const newest = items.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, shownLimit);
  return document(
    items.length,
    newest.length
      ? html`<ol>${newest.map(({ view }) => html`<li>${view()}</li>`)}</ol>`
      : html`<p>Nothing has been sent yet.</p>`,
    refreshSeconds,
  );
}

function document(count: number, content: Html, refreshSeconds?: number): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds ? html`<meta http-equiv="refresh" content="${refreshSeconds}">` : undefined}
<title>${count} messages · Local carriers</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header class="top">
<span class="brand"><span class="mark" aria-hidden="true"></span>CRM</span>
<h1>Messages</h1>
<a href="${refreshSeconds ? '?refresh=1' : './'}">Refresh</a>
${refreshSeconds ? html`<a href="./">Stop refreshing</a>` : html`<a href="?refresh=1">Refresh automatically</a>`}
<a href="messages.json">JSON</a>
</header>
<main>${content}</main>
</body>
</html>`;
}

function emailView(mail: CaughtMail): Html {
  const { id, from, to, reply_to, subject, text, html: body, received_at, deliveries } = mail;
  return html`<article>
<p class="facts"><span class="kind">E-mail</span> ${from} → ${to.join(', ')} · ${time(received_at)}${
    reply_to.length > 0 ? html` · replies go to ${reply_to.join(', ')}` : undefined
  }${deliveries > 1 ? html` · arrived ${deliveries} times` : undefined}</p>
<h2>${subject || 'No subject'}</h2>
${text ? html`<pre>${linked(text.trimEnd())}</pre>` : undefined}
${
  body
    ? html`<details><summary>HTML version</summary><iframe sandbox loading="lazy" title="${subject || 'No subject'}, HTML version" src="emails/${id}/html"></iframe></details>`
    : undefined
}
</article>`;
}

function sentView({ channel, sid, from, to, words, key_press_url, received_at }: Sent): Html {
  return html`<article>
<p class="facts"><span class="kind">${channel === 'text' ? 'Text' : 'Call'}</span> ${from} → ${to} · ${time(received_at)}</p>
<pre>${linked(words)}</pre>
${channel === 'text' ? replyForm(sid, to) : undefined}
${key_press_url === undefined ? undefined : keys(sid, to)}
</article>`;
}

function replyForm(sid: string, to: string): Html {
  return html`<form method="post" action="texts/${sid}/reply">
<label class="unseen" for="${sid}">Reply as ${to}</label>
<input id="${sid}" name="text" placeholder="Reply as ${to}" required maxlength="1600" autocomplete="off">
<button>Reply</button>
</form>`;
}

function keys(sid: string, to: string): Html {
  return html`<form method="post" action="calls/${sid}/press" aria-label="Press a key as ${to}">
${[...'123456789*0#'].map((digit) => html`<button name="digit" value="${digit}">${digit}</button>`)}
</form>`;
}

function answeredView({ channel, from, words, status, body, received_at }: Answered): Html {
  return html`<article>
<p class="facts"><span class="kind">${channel === 'reply' ? 'Reply' : 'Key press'}</span> from ${from} · ${time(received_at)} · callback returned ${status}</p>
<pre>${words}</pre>
${body ? html`<details><summary>Response</summary><pre>${body}</pre></details>` : undefined}
</article>`;
}

/** Turns URLs into links, such as the one that claims a lead. */
function linked(words: string): Html {
  const parts = words.split(/(https?:\/\/[^\s<>"]+)/);
  // Split with a capture group puts the URLs at odd indexes.
  return html`${parts.map((part, index) => (index % 2 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`))}`;
}

const time = (at: Date) =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
