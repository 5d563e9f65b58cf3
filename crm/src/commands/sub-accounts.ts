import type { Report } from '../command-line.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { idOr } from '../system/id-or.ts';

export interface ConsentOfUser {
  readonly broker: string;
  readonly user: string;
}

export async function consent(env: NodeJS.ProcessEnv, { broker, user }: ConsentOfUser): Promise<Report> {
  const given = await askIdentity(env, ({ subAccounts }) =>
    subAccounts.consent({ broker: idOr(broker), user: idOr(user) }),
  );
  const { broker_user_id, user_id, state, expires_at } = given;
  const text =
    state === 'active'
      ? `Broker ${broker_user_id} acts for user ${user_id}.`
      : `Broker ${broker_user_id} can add user ${user_id} as a sub-account${expires_at ? ` until ${expires_at}` : ''}.`;
  return { json: given, text };
}
