import type { WebAnswer, WebRequest } from '@crm/contract';
import { html } from './html.ts';
import { privateHeaders, standalonePage } from './standalone-page.ts';

/** The visitor of an account page that is served by another service than identity. */
export interface Visitor {
  readonly user_id: number;
  readonly timezone: string;
  readonly form_token: string;
}

interface PageVisit {
  readonly request: WebRequest;
  readonly path: string;
}

/** Asks identity who visits a page. */
type Read<Ctx> = (
  ctx: Ctx,
  visit: PageVisit,
) => Promise<{ readonly sign_in: WebAnswer } | (Visitor & { readonly is_own_form: boolean })>;

type Visited = Visitor | { readonly answer: WebAnswer };

/** How a service finds out who visits its pages. */
export function visitorsBy<Ctx>(ask: Read<Ctx>) {
  const read = async (ctx: Ctx, request: WebRequest, path: string) => {
    const visitor = await ask(ctx, { request, path });
    if (!('sign_in' in visitor)) return visitor;
    const headers = { ...privateHeaders, ...visitor.sign_in.headers };
    return { answer: { ...visitor.sign_in, headers } };
  };
  return {
    /** The signed-in user, or a response that lets the visitor sign in first. */
    visitorOf: (ctx: Ctx, request: WebRequest, path: string): Promise<Visited> => read(ctx, request, path),
    /** The user who submits a form. The form must come from the page at the path, in this session. */
    async submitterOf(ctx: Ctx, request: WebRequest, path: string): Promise<Visited> {
      const visitor = await read(ctx, request, path);
      return 'answer' in visitor || visitor.is_own_form ? visitor : { answer: foreignFormPage(path) };
    },
  };
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
