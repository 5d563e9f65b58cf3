import type { WebAnswer } from '@crm/contract';
import { type Content, html } from '@crm/html';
import type { SignedInUser } from '../sessions/session.queries.ts';
import { copyPolicy, copyScript } from './copy.ts';
import { type FormProblem, hidden } from './form.ts';
import { paths } from './paths.ts';
import { stylesheetName } from './stylesheet.ts';

export interface Page {
  readonly status?: number;
  /** Sets the status and Retry-After of the page. */
  readonly problem?: FormProblem | undefined;
  readonly title: string;
  readonly main: Content;
  /** The user who sees the page, and the token of the sign-out form. */
  readonly viewer?: { readonly user: SignedInUser; readonly signOutToken: string } | undefined;
  /** The section of the account that the page belongs to. */
  readonly section?: Section;
  /** Another origin that submitting a form may redirect to. */
  readonly leadsTo?: string | null;
  /** True if the page has texts with a copy button, which is the only use of a script. */
  readonly canCopy?: boolean;
  readonly headers?: WebAnswer['headers'];
}

const sections = {
  account: { path: paths.account, name: 'Account' },
  security: { path: paths.security, name: 'Security' },
  applications: { path: paths.applications, name: 'Applications' },
  connected: { path: paths.connected, name: 'Connected' },
  reference: { path: paths.reference, name: 'API reference' },
} as const;
type Section = keyof typeof sections;

/**
 * A complete page. Its policy allows only its own content, its forms and the copy script: no frames, nothing from other
 * origins.
 */
export function page({ problem, headers = {}, leadsTo = null, ...shown }: Page): WebAnswer {
  const { status = problem?.status ?? 200 } = shown;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(leadsTo, shown.canCopy),
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...(problem?.retryAfter !== undefined && { 'retry-after': String(problem.retryAfter) }),
      ...headers,
    },
    body: document(shown).markup,
  };
}

/** Redirects the browser with 303, so that a form is not posted again (RFC 9700 §4.12). */
export function goTo(location: string, cookies: readonly string[] = []): WebAnswer {
  const headers = { location, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) };
  return { status: 303, headers, body: '' };
}

/** Names the redirect target too, because browsers apply form-action to the redirect after a form. */
function policy(leadsTo: string | null, canCopy = false): string {
  const onward = leadsTo !== null && /^https?:\/\/[\w.:[\]-]+$/.test(leadsTo) ? ` ${leadsTo}` : '';
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(canCopy ? [copyPolicy] : []),
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self'${onward}`,
  ].join('; ');
}

function document({ title, main, viewer, section, canCopy }: Page) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · CRM</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${stylesheetName}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="${paths.front}"><span class="mark" aria-hidden="true"></span>CRM</a>
${viewer && navigation(viewer, section)}
</header>
<main id="main" tabindex="-1">
${main}
</main>
${canCopy && copyScript}
</body>
</html>
`;
}

function navigation({ user, signOutToken }: NonNullable<Page['viewer']>, current: Section | undefined) {
  const links = Object.entries(sections).map(
    ([key, { path, name }]) =>
      html`<li><a href="${path}"${key === current && html` aria-current="page"`}>${name}</a></li>`,
  );
  return html`
<nav aria-label="Account"><ul>${links}</ul></nav>
<form class="leave" method="post" action="${paths.signOut}">
${hidden('form_token', signOutToken)}
<button class="quiet" aria-label="Sign out ${user.name}">Sign out</button>
</form>`;
}
