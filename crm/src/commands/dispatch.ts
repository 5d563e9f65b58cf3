import { schedulingApi } from '@crm/scheduling/api';
import type { Report } from '../command-line.ts';
import { printable } from '../printable.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { askService } from '../system/ask-service.ts';
import { findUser } from './find-user.ts';

export async function pauseSending(env: NodeJS.ProcessEnv, named: string | undefined): Promise<Report> {
  const { user_id, whom } = await switchOf(env, named);
  const pause = await askService(env, 'scheduling', schedulingApi, ({ sendingPauses }) =>
    sendingPauses.add({ user_id }),
  );
  const text = `Messages to contacts are paused for ${whom}. One that was sent to the provider in the last five seconds may still arrive.`;
  return { json: pause, text };
}

export async function resumeSending(env: NodeJS.ProcessEnv, named: string | undefined): Promise<Report> {
  const { user_id, whom } = await switchOf(env, named);
  const pauses = await askService(env, 'scheduling', schedulingApi, async ({ sendingPauses }) => {
    await sendingPauses.remove({ user_id });
    return sendingPauses.find({});
  });
  const left = pauses.filter((pause) => pause.user_id === user_id || pause.user_id === null);
  const text = [`The operator no longer pauses messages to contacts for ${whom}.`, ...left.map(stillPaused)];
  return { json: { user_id, pauses: left }, text: text.join(' ') };
}

const stillPaused = ({
  user_id,
  paused_at,
}: {
  readonly user_id: number | null;
  readonly paused_at: string;
}) =>
  user_id === null
    ? `But those of everybody have been paused since ${paused_at}.`
    : `But the user stopped them on the account page at ${paused_at}.`;

/** The requested switch: that of a user, or that of the installation. */
async function switchOf(env: NodeJS.ProcessEnv, named: string | undefined) {
  if (named === undefined) return { user_id: null, whom: 'everybody' };
  const user = await askIdentity(env, (identity) => findUser(identity, named));
  return { user_id: user.id, whom: `user ${user.id}, ${printable(user.email)}` };
}
