import type { Report } from '../command-line.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';

export interface NewToken {
  readonly user: string;
  readonly scope?: 'read' | 'write';
  readonly name?: string;
}

export async function createToken(env: NodeJS.ProcessEnv, { user, scope, name }: NewToken): Promise<Report> {
  const token = await askIdentity(env, (identity) =>
    identity.tokens.create({ user: idOr(user), scope, name }),
  );
  const text = `${token.access_token}\n\nIt acts for user ${token.user_id} (${token.scope}) until ${token.expires}. It is shown only once.`;
  return { json: token, text };
}

export async function revokeToken(env: NodeJS.ProcessEnv, named: string): Promise<Report> {
  const token = await askIdentity(env, (identity) => identity.tokens.revoke({ token: idOr(named) }));
  return { json: token, text: `Revoked token ${token.id} of user ${token.user_id}.` };
}
