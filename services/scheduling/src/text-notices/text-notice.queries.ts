import { isBeforeRestoration, withheldReason } from '@crm/data';
import { textMeanings } from '@crm/delivery';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { causeText, type TransactionContext } from '@crm/service';
import { z } from 'zod';
import { wordsOf } from '../words-of-text.ts';

interface Alerted {
  readonly contact_id: number;
  readonly owner_user_id: number;
  readonly assigned_user_id: number | null;
}

const isWithheld = isBeforeRestoration('x.received_at');

/**
 * SQL of the state and reason of a new notice, with the reason as a parameter: the notice of a text `x` may have been sent before
 * a restore.
 */
const stateAt = (reason: string) =>
  `case when ${isWithheld} then 'Failed' else 'Waiting' end, case when ${isWithheld} then ${reason}::text end`;

/** Adds an e-mail about a text for the owner of its contact and for the assignee, once each. */
export async function addAlerts(
  { query, requestId }: Pick<TransactionContext, 'query' | 'requestId'>,
  textId: string,
  { contact_id, owner_user_id, assigned_user_id }: Alerted,
): Promise<void> {
  await query(
    `insert into text_notices (text_id, channel, user_id, owner_user_id, contact_id, cause, state, reason)
     select x.id, 'Email', user_id, $5::int, $3::int, $4::jsonb, ${stateAt('$6')}
     from inbound_texts x, unnest($2::int[]) alerted (user_id) where x.id = $1 order by user_id
     on conflict do nothing`,
    [
      textId,
      [...new Set([owner_user_id, assigned_user_id ?? owner_user_id])],
      contact_id,
      causeText({ requestId }),
      owner_user_id,
      withheldReason,
    ],
  );
}

interface Reply {
  readonly text_id: string;
  /** The sender of the texts, whose name is in a reply with the default words. */
  readonly user_id: number | null;
  readonly words: string | null;
}

/** Adds the reply to a text. Without words, it says who sends the texts and how to stop them. */
export async function addReply(
  { query, requestId }: Pick<TransactionContext, 'query' | 'requestId'>,
  { text_id, user_id, words }: Reply,
): Promise<void> {
  await query(
    `insert into text_notices (text_id, channel, user_id, owner_user_id, words, cause, state, reason)
     select x.id, 'Text', $2::int, coalesce($2::int, 0), $3::text, $4::jsonb, ${stateAt('$5')}
     from inbound_texts x where x.id = $1 on conflict do nothing`,
    [text_id, user_id, words, causeText({ requestId }), withheldReason],
  );
}

export const noticeChannels = ['Email', 'Text'] as const;

export const DueNotice = DueRow.extend({
  channel: z.enum(noticeChannels),
  user_id: z.int().nullable(),
  contact_id: z.int().nullable(),
  words: z.string().nullable(),
  from_number: z.string(),
  body: z.string(),
  meaning: z.enum(textMeanings),
});

/** A notice with the text that it is about. */
export type DueNotice = z.output<typeof DueNotice>;

export const noticeTable: DispatchTable = {
  ...usualNames,
  name: 'text_notices',
  lane: 'channel',
  sharedBy: 'owner_user_id',
};

export const dueNoticeSelect = `
  select ${dueColumns('due_at')}, leased.channel, leased.user_id, leased.contact_id, leased.words,
    x.from_number, ${wordsOf('x', 2000)} as body, x.meaning
  from leased join inbound_texts x on x.id = leased.text_id
  order by leased.due_at, leased.id`;

/** A reply to yesterday's text would confuse its reader; an agent is notified of a text however late. */
export const noticeCheck: FinalCheck = {
  obstacles: [
    {
      when: `t.channel = 'Text' and exists (
        select from inbound_texts x where x.id = t.text_id and x.received_at < now() - interval '1 day')`,
      state: 'Failed',
      reason: 'It is too late.',
    },
  ],
};
