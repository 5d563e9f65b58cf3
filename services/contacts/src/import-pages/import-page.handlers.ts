import type { User } from '@crm/auth';
import { Refused, type WebAnswer, type WebRequest } from '@crm/contract';
import { goTo, html, privateHeaders, standalonePage, type Visitor, visitorsBy } from '@crm/html';
import { auditAs, auditChange } from '@crm/messaging';
import { type Context, implement, inSteps } from '@crm/service';
import { exportContacts } from '../exports/export-contacts.ts';
import { createImport } from '../imports/create-import.ts';
import { endImport } from '../imports/end-import.ts';
import { csvType, linesType } from '../imports/import.api.ts';
import { remarksFile } from '../imports/remarks-file.ts';
import { startImport } from '../imports/start-import.ts';
import { asUser, signedIn } from '../on-behalf/as-user.ts';
import { identity } from '../peers.ts';
import { type Choices, choicesIn } from './choices.ts';
import { importPage } from './import.page.ts';
import { importListPage } from './import-list.page.ts';
import { importPageApi } from './import-page.api.ts';
import { firstRows, importOf, importsOf, type Shown } from './import-page.queries.ts';
import { exportPath, importPath, importsPath } from './paths.ts';
import { readConfirmed } from './read-confirmed.ts';

const { visitorOf, submitterOf } = visitorsBy((ctx: Context, asked) =>
  identity.asSystem(ctx).visitors.read(asked),
);

export const importPageHandlers = implement(importPageApi, {
  list: async (ctx, request) => {
    const visitor = await visitorOf(ctx, request, importsPath);
    return 'answer' in visitor ? visitor.answer : listPage(ctx, visitor);
  },

  upload: inSteps(importPageApi.upload, {
    ask: async (ctx, request) => {
      const visitor = await submitterOf(ctx, request, importsPath);
      return 'answer' in visitor ? visitor : { visitor, user: await signedIn(ctx, visitor.user_id) };
    },
    act: async (ctx, request, asked) => {
      if ('answer' in asked) return asked.answer;
      const { visitor, user } = asked;
      auditAs(ctx.em, { userId: visitor.user_id });
      if (!user) return goTo(importsPath);
      const form = formIn(request);
      const name = form.get('name')?.slice(0, 255) || undefined;
      const type = form.get('type') === linesType ? linesType : csvType;
      try {
        const { id } = await createImport(ctx, user, { name, type, is_held: true, create_missing: true });
        return { ...goTo(importPath(id)), id };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return listPage(ctx, visitor, error.message);
      }
    },
  }),

  show: (ctx, request) => withImport(ctx, request, async (visitor, found) => stateOf(ctx, visitor, found)),

  change: inSteps(importPageApi.change, {
    ask: async (ctx, request) => {
      const visitor = await submitterOf(ctx, request, importPath(idIn(request)));
      return 'answer' in visitor ? visitor : { visitor, user: await signedIn(ctx, visitor.user_id) };
    },
    act: async (ctx, request, asked) => {
      if ('answer' in asked) return asked.answer;
      const { visitor, user } = asked;
      const { user_id } = visitor;
      const found = user && (await importOf(ctx.query, user, idIn(request)));
      if (!found) return missingPage();
      auditAs(ctx.em, { userId: user_id });
      auditChange(ctx.em, () => ({ type: 'import', id: found.id, userId: user_id }));
      return change(ctx, visitor, found, formIn(request));
    },
  }),

  errors: (ctx, request) => remarksOf(ctx, request, 'errors'),

  warnings: (ctx, request) => remarksOf(ctx, request, 'warnings'),

  export: async (ctx, request) => {
    const visitor = await visitorOf(ctx, request, exportPath);
    if ('answer' in visitor) return visitor.answer;
    const user = await signedIn(ctx, visitor.user_id);
    if (!user) return missingPage();
    const cursor = request.cursor === undefined ? {} : { cursor: request.cursor };
    return fileAnswer('contacts.csv', await exportContacts(asUser(ctx, user), cursor));
  },
});

const formIn = ({ body }: WebRequest): ReadonlyMap<string, string> => new Map(new URLSearchParams(body));

/** 0, which is the id of no import, for anything that is not an id. */
const idIn = ({ params }: WebRequest): number =>
  /^\d{1,9}$/.test(params.import_id ?? '') ? Number(params.import_id) : 0;

const listPage = async (ctx: Context, visitor: Visitor, problem?: string): Promise<WebAnswer> =>
  importListPage(visitor, await importsOf(ctx.query, visitor.user_id), problem);

const stateOf = async (
  ctx: Context,
  visitor: Visitor,
  found: Shown,
  refused: { readonly problem?: string; readonly chosen?: Choices } = {},
): Promise<WebAnswer> =>
  importPage(visitor, found, {
    rows: found.status === 'Mapping' ? await firstRows(ctx.query, found) : [],
    ...refused,
  });

/** Shows an import of the visitor, or that there is none. */
async function withImport(
  ctx: Context,
  request: WebRequest,
  show: (visitor: Visitor, found: Shown, user: User) => Promise<WebAnswer>,
): Promise<WebAnswer> {
  const visitor = await visitorOf(ctx, request, importPath(idIn(request)));
  if ('answer' in visitor) return visitor.answer;
  const user = await signedIn(ctx, visitor.user_id);
  const found = user && (await importOf(ctx.query, user, idIn(request)));
  return found ? show(visitor, found, user) : missingPage();
}

/** Carries out a form of the page of an import. */
async function change(
  ctx: Context,
  visitor: Visitor,
  found: Shown,
  form: ReadonlyMap<string, string>,
): Promise<WebAnswer> {
  const act = form.get('act');
  if (act === 'cancel') await endImport(ctx, found.id, { status: 'Canceled', error: null });
  if (act === 'import' || act === 'try') {
    const confirmed = readConfirmed(form, found);
    const refuse = (problem: string) =>
      stateOf(ctx, visitor, found, { problem, chosen: choicesIn(form, found) });
    if ('problem' in confirmed) return refuse(confirmed.problem);
    try {
      await startImport(ctx.query, found.id, visitor.user_id, { ...confirmed, dry_run: act === 'try' });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refuse(error.message);
    }
  }
  return goTo(importPath(found.id));
}

const remarksOf = (ctx: Context, request: WebRequest, kind: 'errors' | 'warnings'): Promise<WebAnswer> =>
  withImport(ctx, request, async (_, { id, type }, user) => {
    const { cursor } = request;
    const part = await remarksFile(asUser(ctx, user), { id, cursor }, kind);
    const name = `${kind}.${type === linesType ? 'ndjson' : 'csv'}`;
    return fileAnswer(name, part);
  });

/** A part of a file, which the gateway sends part after part. */
const fileAnswer = (
  name: string,
  {
    text,
    type = csvType,
    next,
  }: { readonly text: string; readonly type?: string | undefined; readonly next: string | null },
): WebAnswer => ({
  status: 200,
  headers: {
    ...privateHeaders,
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${name}"`,
  },
  body: text,
  ...(next !== null && { next }),
});

const missingPage = (): WebAnswer =>
  standalonePage({
    status: 404,
    title: 'Page not found',
    content: html`<p>This import does not exist, or it belongs to another user.</p>
<p><a href="${importsPath}">All imports</a></p>`,
  });
