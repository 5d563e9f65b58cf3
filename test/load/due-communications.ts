import { setTimeout as sleep } from 'node:timers/promises';
import type { Ground } from './ground.ts';

/** How many messages each contact gets: no more than the usual limits of a day allow. */
const each = 6;

/** Contacts for some messages, with an address and a mobile number each, which all senders see. */
export async function makeContacts(
  { rows }: Ground,
  senders: readonly number[],
  communications: number,
): Promise<void> {
  await rows(
    `insert into contacts.contacts (owner_user_id, first_name, last_name, email, mobile_phone, mobile_phone_e164,
       shared_user_ids, created_at, modified_at)
     select $1::int, 'Contact', n::text, 'contact' || n || '@example.com', '+1604' || 2000000 + n,
       '+1604' || 2000000 + n, $3::int[], now(), now()
     from generate_series(1, $2::int) n`,
    [senders[0], contactsFor(communications), senders.slice(1)],
  );
}

const contactsFor = (communications: number) => Math.ceil(communications / each);

const words = '<p>Dear {{contact.full_name}}, yours, {{user.first_name}}.</p>';

/**
 * Messages that campaigns, each its own, send at one moment: half from one sender, the others from all senders in turn.
 * Returns at that moment, when all of them are stored.
 */
export async function makeDue({ rows }: Ground, senders: readonly number[], count: number): Promise<void> {
  const seconds = 1 + count / 20_000;
  const due = performance.now() + 1_000 * seconds;
  await rows(
    `insert into scheduling.template_texts (digest, body)
     values (encode(sha256(convert_to($1, 'UTF8')), 'hex'), $1) on conflict do nothing`,
    [words],
  );
  await rows(
    `insert into scheduling.communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id,
       campaign_name, type, is_stopped_on_text_reply, template_subject, body_digest, send_from_user_id, send_at, timezone,
       next_attempt_at, created_at, modified_at)
     select n, n, 1, 1 + n % $3::int, 'Drip',
       (array['Email Contact', 'Text Contact', 'Email Contact', 'Text Contact', 'Call Contact'])[1 + n % 5], true,
       'Hello {{contact.first_name}}', encode(sha256(convert_to($4, 'UTF8')), 'hex'),
       case when n % 2 = 0 then ($1::int[])[1] else ($1::int[])[1 + n % array_length($1::int[], 1)] end,
       moment.due, 'America/New_York', moment.due, now(), now()
     from generate_series(1, $2::int) n, (values (now() + make_interval(secs => $5))) moment (due)`,
    [senders, count, contactsFor(count), words, seconds],
  );
  await rows('analyze scheduling.communications');
  await sleep(Math.max(0, due - performance.now()));
}
