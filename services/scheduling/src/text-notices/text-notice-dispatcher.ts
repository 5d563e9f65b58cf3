import { type DeliveryConfig, nameOf } from '@crm/delivery';
import { dispatcher, type Plan, type Queue, usualSlots } from '@crm/dispatch';
import { byIds, type PeerContext } from '@crm/service';
import { noteUnreachable } from '../opt-outs/note-unreachable.ts';
import { recordBlock } from '../opt-outs/record-block.ts';
import { contacts, identity } from '../peers.ts';
import { rightsNow } from '../rights.ts';
import type { Settings } from '../settings.ts';
import { pausedTextsPath } from '../text-pauses/text-pause-page.ts';
import { alertWords, helpWords } from './notice-words.ts';
import {
  DueNotice,
  dueNoticeSelect,
  type noticeChannels,
  noticeCheck,
  noticeTable,
} from './text-notice.queries.ts';

type Channel = (typeof noticeChannels)[number];

/** The users and contacts of notices, as other services know them. */
async function loadPeople(peers: PeerContext, notices: readonly DueNotice[]) {
  const [users, about, rights] = await Promise.all([
    byIds(
      notices.map(({ user_id }) => user_id),
      (ids) => identity.asSystem(peers).users.byIds({ ids }),
    ),
    byIds(
      notices.map(({ contact_id }) => contact_id),
      (ids) => contacts.asSystem(peers).contacts.byIds({ ids }),
    ),
    rightsNow(peers, notices),
  ]);
  return { users, about, rights };
}

type People = Awaited<ReturnType<typeof loadPeople>>;

/** The message of a notice, or why there is none. */
function noticePlan(
  { mailFrom, publicUrl }: DeliveryConfig,
  notice: DueNotice,
  { users, about, rights }: People,
): Plan {
  const user = users.get(notice.user_id ?? 0);
  if (notice.channel === 'Text') {
    const text = notice.words ?? helpWords(user, mailFrom);
    return { send: { text: { to: notice.from_number, text } } };
  }
  if (!user) return { state: 'Failed', reason: 'The user does not exist.' };
  if (!user.is_active) return { state: 'Failed', reason: 'The account of the user is disabled.' };
  if (user.is_email_unreachable) return { state: 'Failed', reason: 'E-mails to the user bounce.' };
  if (notice.contact_id !== null && !rights.sees(user.id, notice.contact_id))
    return { state: 'Dropped', reason: 'The user can no longer see the contact.' };
  const contact = nameOf(about.get(notice.contact_id ?? 0), 'A contact without a name');
  const to = { name: nameOf(user, ''), address: user.email };
  const decide_url = `${publicUrl}${pausedTextsPath}`;
  return { send: { email: { to, ...alertWords({ ...notice, contact, decide_url }) } } };
}

export const noticeQueue = ({ delivery }: Settings): Queue<DueNotice, People> => ({
  what: 'notices of texts',
  name: 'text-notice',
  statusPath: '/callbacks/statuses/',
  slots: { Email: usualSlots.Email, Text: 24 } satisfies Record<Channel, number>,
  laneOf: ({ channel }) => channel,
  table: noticeTable,
  row: DueNotice,
  select: dueNoticeSelect,
  check: noticeCheck,
  load: loadPeople,
  plan: (notice, people) => noticePlan(delivery, notice, people),
  // An e-mail to an agent is sent however late. A reply that is too late fails in the final check.
  isNeverTooLate: true,
  // A text replies to a contact, and an e-mail goes to an agent.
  recordBlock: (peers, blocked, at) =>
    (blocked.lane === 'Text' ? recordBlock : noteUnreachable)(peers, blocked, at),
});

/** Notifies agents of incoming texts, and replies to texts. Any number of instances may run. */
export const noticeDispatcher = (settings: Settings) => dispatcher(noticeQueue(settings), settings.delivery);
