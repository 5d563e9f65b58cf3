import { contactsApi } from '@crm/contacts/api';
import type { Report } from '../command-line.ts';
import { printable } from '../printable.ts';
import type { Controls } from '../progress-bar.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { askService } from '../system/ask-service.ts';
import { findUser } from './find-user.ts';

export interface AssignFlags {
  readonly from: string;
  readonly to: string;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

interface Portion {
  readonly count: number;
  readonly left: number;
  readonly next: number | null;
}

/** Assigns the contacts of a user to another in portions. An interrupted command can be repeated: it assigns what is left. */
export async function assignContacts(
  env: NodeJS.ProcessEnv,
  { from, to, all = false, dryRun = false }: AssignFlags,
  { progress, throwIfStopped }: Controls,
): Promise<Report> {
  const [giver, receiver] = await askIdentity(env, (identity) =>
    Promise.all([findUser(identity, from), findUser(identity, to)]),
  );
  const which = { from_user_id: giver.id, to_user_id: receiver.id, all };
  const ask = (step: 'count' | 'assign', after: number) =>
    askService(env, 'contacts', contactsApi, ({ assignments }) => assignments[step]({ ...which, after }));
  const expected = await inPortions((after) => ask('count', after), throwIfStopped);
  const done = dryRun
    ? expected
    : await inPortions(
        (after) => ask('assign', after),
        throwIfStopped,
        (count) => progress.at(count / expected.count, count),
      );
  progress.end();
  const { count, left } = done;
  const who = `user ${giver.id}, ${printable(giver.email)}, to user ${receiver.id}, ${printable(receiver.email)}`;
  const others = left === 0 ? '' : ` ${left} are assigned to somebody else and stay so; see --all.`;
  return {
    json: { ...which, dry_run: dryRun, assigned: count, left },
    text: `${dryRun ? 'Would assign' : 'Assigned'} ${count} contacts of ${who}.${others}`,
  };
}

async function inPortions(
  ask: (after: number) => Promise<Portion>,
  throwIfStopped: () => void,
  show?: (count: number) => void,
) {
  let [count, left] = [0, 0];
  for (let after: number | null = 0; after !== null; ) {
    throwIfStopped();
    const portion = await ask(after);
    count += portion.count;
    left += portion.left;
    after = portion.next;
    if (count > 0) show?.(count);
  }
  return { count, left };
}
