import { type ReachedUser, wayToUser } from '@crm/delivery';
import type { DueAlert } from './alert.queries.ts';
import type { Participants } from './load-participants.ts';

type Member = Participants['members'] extends ReadonlyMap<number, infer One> ? One : never;

/** Who receives an alert and how, or why nobody does. `way` is undefined for an assignment. */
export type Recipient =
  | { readonly member: Member; readonly way: ReachedUser | undefined }
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string };

export function recipientOf(alert: DueAlert, participants: Participants): Recipient {
  const { members, optedOut } = participants;
  const { kind, user_id, sent_by } = alert;
  const member = members.get(user_id);
  if (!member) return { state: 'Failed', reason: 'The user does not exist.' };
  if (!member.is_active) return { state: 'Failed', reason: "The user's account is disabled." };
  const lost = whatIsLost(alert, participants);
  if (lost) return { state: 'Dropped', reason: lost };
  if (kind === 'Assign') return { member, way: undefined };
  const way = wayToUser(member, kind, optedOut);
  if ('obstacle' in way) return { state: 'Failed', reason: way.obstacle };
  if (way.missed === null) return { member, way };
  // Exactly one alert remains: either another alert of the offer reaches the user directly, or the first one stands in for
  // all.
  const isReached = sent_by.some((other) => isDirect(wayToUser(member, other, optedOut)));
  const [first = kind] = sent_by;
  if (isReached || first !== kind)
    return { state: 'Dropped', reason: `${way.missed} The user gets another alert.` };
  return { member, way };
}

const isDirect = (way: ReturnType<typeof wayToUser>) => 'missed' in way && way.missed === null;

/** The reason why nothing may be sent any longer: a right or a record that was lost since the lead was offered. */
function whatIsLost(
  { user_id, team_id, creator_user_id, contact_id }: DueAlert,
  { users, leadContacts, seen }: Participants,
): string | undefined {
  if (!users.has(creator_user_id)) return 'The account of the creator of the lead is disabled.';
  if (team_id !== null && !users.get(user_id)?.team_ids.includes(team_id))
    return 'The user no longer belongs to the team.';
  if (contact_id === null) return undefined;
  if (!leadContacts.has(contact_id)) return 'The contact was removed.';
  // The creator is told in any case, because nobody else has the lead now.
  return team_id === null || seen.get(creator_user_id)?.has(contact_id)
    ? undefined
    : 'The creator of the lead can no longer see the contact.';
}
