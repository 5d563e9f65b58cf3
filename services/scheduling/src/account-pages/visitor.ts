import type { WebAnswer, WebRequest } from '@crm/contract';
import { html, privateHeaders, standalonePage } from '@crm/html';
import type { Context } from '@crm/service';
import { identity } from '../peers.ts';

/** Who visits a page of the account that this service serves. */
export interface Visitor {
  readonly user_id: number;
  readonly timezone: string;
  readonly form_token: string;
}

type Visited = Visitor | { readonly answer: WebAnswer };

/** The user who is signed in, or the answer that lets one sign in first. */
export const visitorOf = (ctx: Context, request: WebRequest, path: string): Promise<Visited> =>
  read(ctx, request, path);

/** The same for a form, which must be one of the page at the path, for this session. */
export async function submitterOf(ctx: Context, request: WebRequest, path: string): Promise<Visited> {
  const visitor = await read(ctx, request, path);
  return 'answer' in visitor || visitor.is_own_form ? visitor : { answer: foreignFormPage(path) };
}

async function read(ctx: Context, request: WebRequest, path: string) {
  const visitor = await identity.asSystem(ctx).visitors.read({ request, path });
  if (!('sign_in' in visitor)) return visitor;
  const headers = { ...privateHeaders, ...visitor.sign_in.headers };
  return { answer: { ...visitor.sign_in, headers } };
}

/** Redirects to a page after a form. */
export const goTo = (location: string): WebAnswer => ({
  status: 303,
  headers: { ...privateHeaders, location },
  body: '',
});

const foreignFormPage = (path: string): WebAnswer =>
  standalonePage({
    status: 403,
    title: 'This form is no longer valid',
    content: html`<p>It belongs to another session, or was sent from another site. Nothing was changed.</p>
<p><a href="${path}">Open the page again</a></p>`,
  });
