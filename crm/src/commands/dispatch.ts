import { type Client, createClient } from '@crm/client';
import { Refused } from '@crm/contract';
import { schedulingApi } from '@crm/scheduling/api';
import type { Report } from '../command-line.ts';
import { printable } from '../printable.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { findSystem, needOperatorToken } from '../system/find-system.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';

export async function pauseSending(env: NodeJS.ProcessEnv, named: string | undefined): Promise<Report> {
  const { user_id, whom } = await switchOf(env, named);
  const pause = await askScheduling(env, ({ sendingPauses }) => sendingPauses.add({ user_id }));
  const text = `Nothing is sent to contacts ${whom} any more, except what a provider has been receiving for less than five seconds.`;
  return { json: pause, text };
}

export async function resumeSending(env: NodeJS.ProcessEnv, named: string | undefined): Promise<Report> {
  const { user_id, whom } = await switchOf(env, named);
  await askScheduling(env, ({ sendingPauses }) => sendingPauses.remove({ user_id }));
  return {
    json: { user_id },
    text: `Messages to contacts are sent ${whom} again, unless another pause holds them.`,
  };
}

/** Whose switch is meant: that of a user, or that of the installation. */
async function switchOf(env: NodeJS.ProcessEnv, named: string | undefined) {
  if (named === undefined) return { user_id: null, whom: 'on behalf of anybody' };
  const which = idOr(named);
  const query = typeof which === 'number' ? { id: which } : { email: which.toLowerCase() };
  const { data } = await askIdentity(env, ({ users }) => users.search(query));
  const [user] = data;
  if (!user) throw new Unable('NotFound', `No account is named ${printable(named)}.`);
  return { user_id: user.id, whom: `on behalf of user ${user.id}, ${printable(user.email)},` };
}

async function askScheduling<Answer>(
  env: NodeJS.ProcessEnv,
  ask: (scheduling: Client<typeof schedulingApi>) => Promise<Answer>,
): Promise<Answer> {
  const url = findSystem(env).services.scheduling;
  try {
    return await ask(createClient(schedulingApi, { url, token: needOperatorToken(env) }));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Unable('NoAnswer', `Scheduling at ${url} does not respond. Is the system running?`);
  }
}
