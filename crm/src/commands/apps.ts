import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';

export interface NewApp {
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly owner: string;
  readonly public?: boolean;
  readonly allowImplicit?: boolean;
}

export async function createApp(env: NodeJS.ProcessEnv, given: NewApp): Promise<Report> {
  const app = await askIdentity(env, (identity) =>
    identity.applications.create({
      owner: idOr(given.owner),
      name: given.name,
      redirect_uris: [...given.redirectUri],
      is_public: given.public ?? false,
      allows_implicit: given.allowImplicit ?? false,
    }),
  );
  const text = `Registered ${printable(app.name)} as application ${app.id}.\n\n${credentialsText(app)}`;
  return { json: app, text };
}

export async function listApps(env: NodeJS.ProcessEnv): Promise<Report> {
  const all = await askIdentity(env, (identity) => identity.applications.find({}));
  const rows = all.data.map((app) => [
    app.id,
    app.name,
    app.client_id,
    app.owner_user_id,
    app.is_public ? 'public' : 'confidential',
    app.is_disabled ? 'disabled' : '',
    app.redirect_uris.join(' '),
  ]);
  const headings = ['Id', 'Name', 'Client id', 'Owner', 'Kind', 'State', 'Redirect URIs'];
  return { json: all, text: tableOf(headings, rows) };
}

export async function rotateAppSecret(
  env: NodeJS.ProcessEnv,
  id: string,
  { atOnce = false }: { readonly atOnce?: boolean },
): Promise<Report> {
  const app = await askIdentity(env, (identity) =>
    identity.applications.rotateSecret({ id, at_once: atOnce }),
  );
  const previous = atOnce
    ? 'The previous secret is revoked.'
    : 'The previous secret stays valid for 24 hours.';
  return { json: app, text: `${credentialsText(app)} ${previous}` };
}

export async function removeApp(env: NodeJS.ProcessEnv, id: string): Promise<Report> {
  const app = await askIdentity(env, (identity) => identity.applications.remove({ id }));
  return { json: app, text: `Removed ${printable(app.name)} and revoked its tokens.` };
}

function credentialsText(app: { readonly client_id: string; readonly client_secret: string | null }): string {
  const id = `client_id      ${app.client_id}`;
  if (app.client_secret === null) return `${id}\n\nIt has no secret, so it must use PKCE.`;
  return `${id}\nclient_secret  ${app.client_secret}\n\nThe secret is shown only once.`;
}
