import { choice, noRecord, text, type WebAnswer } from '@crm/contract';
import { implement } from '@crm/service';
import { z } from 'zod';
import { applicationUse } from '../applications/application-use.queries.ts';
import { changeApplication, removeApplication, rotateSecret } from '../applications/change-application.ts';
import { createApplication } from '../applications/create-application.ts';
import { createOwnToken, revokeOwnToken } from '../applications/own-tokens.ts';
import { type OwnedApplication, ownedApplications } from '../applications/owned-applications.queries.ts';
import { fieldsAbout, readApplication, typedFields } from './application-form.ts';
import { applicationList } from './application-list.page.ts';
import { removalView } from './application-removal.page.ts';
import { type FormProblem, readForm } from './form.ts';
import { ownApplicationApi } from './own-application.api.ts';
import { type ApplicationPage, applicationView, secretOnce } from './own-application.page.ts';
import { goTo } from './page.ts';
import { idIn, paths } from './paths.ts';
import {
  acting,
  noted,
  orMissing,
  type PagePath,
  pageFor,
  showing,
  type Visit,
  type Visited,
} from './visit.ts';

const TokenDraft = z.object({
  token_name: text(255).min(1, { error: 'Enter a name, so that you can recognize the token later.' }),
  scope: choice('read', 'write'),
});

export const ownApplicationHandlers = (publicUrl: string) => {
  const form = (path: PagePath, act: Visited) => acting(publicUrl, path, orMissing(act));
  const list = listPage(publicUrl + paths.reference);
  return implement(ownApplicationApi, {
    list: showing(paths.applications, (visit) => list(visit)),
    register: acting(publicUrl, paths.applications, register(list)),
    show: showing(applicationPath, orMissing(show)),
    change: form(applicationPath, change),
    rotateSecret: form(({ params }) => paths.secret(params.id ?? ''), rotate),
    makeToken: form(({ params }) => paths.tokens(params.id ?? ''), makeToken),
    revokeToken: form(({ params }) => paths.revocation(params.id ?? '', params.token_id ?? ''), revokeToken),
    askToRemove: showing(removalPath, orMissing(askToRemove)),
    remove: form(removalPath, remove),
  });
};

const applicationPath: PagePath = ({ params }) => paths.application(params.id ?? '');
const removalPath: PagePath = ({ params }) => paths.removal(params.id ?? '');

const register =
  (list: ListPage): Visited =>
  async (visit) => {
    const read = readApplication(visit.fields);
    if ('errors' in read)
      return list(visit, { status: 422, title: 'The application was not registered.', ...read });
    const { application, client_secret } = await createApplication(visit.ctx, visit.user.id, read.values);
    await noted(visit, { kind: 'application registered', applicationId: application.id });
    if (client_secret === null) return goTo(paths.application(application.id));
    return ownPage(visit, application.id, { secret: newSecret(client_secret) });
  };

async function show(visit: Visit): Promise<WebAnswer> {
  return ownPage(visit, idIn(visit.request, 'id'));
}

async function change(visit: Visit): Promise<WebAnswer> {
  const id = idIn(visit.request, 'id');
  const read = readApplication(visit.fields);
  if ('errors' in read) {
    const problem = { status: 422, title: 'The changes were not saved.', ...read };
    return ownPage(visit, id, { problem, fields: typedFields(visit.fields) });
  }
  const { name, redirect_uris, allows_implicit } = read.values;
  await changeApplication(visit.ctx, owned(visit), { name, redirect_uris, allows_implicit });
  return goTo(paths.application(id));
}

async function rotate(visit: Visit): Promise<WebAnswer> {
  const atOnce = visit.fields.has('at_once');
  const { application, client_secret } = await rotateSecret(visit.ctx, owned(visit), atOnce);
  return ownPage(visit, application.id, { secret: newSecret(client_secret ?? '') });
}

async function makeToken(visit: Visit): Promise<WebAnswer> {
  const id = idIn(visit.request, 'id');
  const { fields, ctx, user } = visit;
  const [token_name = '', scope = ''] = [fields.get('token_name')?.trim(), fields.get('scope')];
  const read = readForm(TokenDraft, { token_name, scope });
  if ('errors' in read)
    return ownPage(visit, id, { problem: { status: 422, title: 'No token was created.', ...read } });
  const draft = { application_id: id, name: read.values.token_name, scope: read.values.scope };
  const token = await createOwnToken(ctx, user.id, draft);
  if (!token) return ownPage(visit, id, { problem: isDisabled });
  await noted(visit, { kind: 'token created', applicationId: id, accessTokenId: token.id });
  const secret = secretOnce('This is your new access token', 'access token', token.access_token);
  return ownPage(visit, id, { secret });
}

const isDisabled: FormProblem = {
  status: 409,
  title: 'No token was created, because this application is disabled.',
};

async function revokeToken(visit: Visit): Promise<WebAnswer> {
  const { ctx, user, request } = visit;
  const accessTokenId = idIn(request, 'token_id');
  await revokeOwnToken(ctx, user.id, accessTokenId);
  await noted(visit, { kind: 'token revoked', applicationId: idIn(request, 'id'), accessTokenId });
  return goTo(paths.application(idIn(request, 'id')));
}

async function askToRemove(visit: Visit): Promise<WebAnswer> {
  const application = await ownedApplication(visit, idIn(visit.request, 'id'));
  const use = await applicationUse(visit.ctx.query, application.id, visit.user.id);
  const main = removalView(visit, application, use);
  return pageFor(visit, { title: `Remove ${application.name}?`, section: 'applications', main });
}

async function remove(visit: Visit): Promise<WebAnswer> {
  await removeApplication(visit.ctx, owned(visit));
  return goTo(paths.applications);
}

const newSecret = (secret: string) => secretOnce('This is the new client secret', 'client secret', secret);

const owned = ({ request, user }: Visit) => ({ id: idIn(request, 'id'), owner_user_id: user.id });

/** Throws NotFound if the application does not exist or belongs to another user. */
async function ownedApplication({ ctx, user }: Visit, id: number): Promise<OwnedApplication> {
  const [application] = await ownedApplications(ctx.query, user.id, id);
  if (!application) throw noRecord(id);
  return application;
}

type ListPage = (visit: Visit, problem?: FormProblem) => Promise<WebAnswer>;

const listPage =
  (referenceUri: string): ListPage =>
  async (visit, problem) => {
    const applications = await ownedApplications(visit.ctx.query, visit.user.id);
    const fields = typedFields(visit.fields);
    const main = applicationList(visit, { applications, fields, referenceUri, problem });
    return pageFor(visit, {
      problem,
      title: 'Your applications',
      section: 'applications',
      main,
      canCopy: true,
    });
  };

/** Shows an application after flushing the changes just made, so that the page contains them. */
async function ownPage(visit: Visit, id: number, shown: Partial<ApplicationPage> = {}): Promise<WebAnswer> {
  await visit.ctx.em.flush();
  const application = await ownedApplication(visit, id);
  const use = await applicationUse(visit.ctx.query, id, visit.user.id);
  const main = applicationView(visit, { application, use, fields: fieldsAbout(application), ...shown });
  return pageFor(visit, {
    problem: shown.problem,
    title: application.name,
    section: 'applications',
    main,
    canCopy: true,
  });
}
