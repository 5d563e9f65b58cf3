import type { Carriers } from '@crm/delivery/testing';
import type { CommunicationType } from '../src/communications/communication-type.api.ts';
import type { SchedulingUnderTest } from './harness.ts';
import type { People } from './people.ts';

type Providers = Pick<Carriers, 'mail' | 'carrier'>;

/** Adds and reads communications, with what providers received of them. */
export function communicationRowsOf(service: SchedulingUnderTest, providers: Providers, people: People) {
  const communication = adding(service);

  const row = async (id: number) => {
    const [row] = await service.rows('select * from communications where id = $1', [id]);
    if (!row) throw new Error(`Communication ${id} does not exist.`);
    return row;
  };

  const received = (key: unknown) => receivedBy(providers, key);

  /** A due communication, with its own sender and contact. */
  const due = async (type: CommunicationType, facts: object = {}) => {
    const [from, to] = [await people.sender(), await people.contact()];
    const id = await communication({ type, contact_id: to.id, send_from_user_id: from.id, ...facts });
    const { key } = await row(id);
    return { id, key, from, to, now: () => row(id), received: () => received(key) };
  };

  /** The domain events of a communication, by the last part of their names. */
  const eventsOf = async (id: number) =>
    (await service.published())
      .filter(({ data }) => data.communication_id === id)
      .map(({ type }) => type.replace('crm.scheduling.communication.', ''));

  /** Lets the time pass after which the provider is asked about a communication. */
  const wait = (id: number, seconds = 10) =>
    service.rows(
      'update communications set next_attempt_at = now(), begun_at = begun_at - make_interval(secs => $2) where id = $1',
      [id, seconds],
    );

  return { communication, row, received, due, eventsOf, later: () => letTimePass(service), wait };
}

/** Adds a communication as an enrolment creates it, due now by default. */
function adding({ rows, contacts }: SchedulingUnderTest) {
  let count = 0;
  return async (facts: Readonly<Record<string, unknown>> = {}): Promise<number> => {
    count += 1;
    const values: Record<string, unknown> = {
      campaign_contact_id: count,
      campaign_id: 1,
      campaign_action_id: 1,
      campaign_name: 'Welcome',
      type: 'Email Contact',
      is_stopped_on_text_reply: false,
      template_subject: 'Hello {{contact.first_name}}',
      body: '<p>Dear {{contact.full_name}}, yours, {{user.first_name}}</p>',
      timezone: 'UTC',
      ...facts,
    };
    const { send_at = 'now()', ...plain } = values;
    const names = Object.keys(plain);
    const parameters = names.map((_, index) => `$${index + 1}`);
    const [added] = await rows(
      `insert into communications (${names.join(', ')}, send_at, next_attempt_at, created_at, modified_at)
       values (${parameters.join(', ')}, ${send_at}, ${send_at}, now(), now()) returning id`,
      Object.values(plain),
    );
    // The sender owns the contact, unless a test gives it to somebody else.
    await contacts.rows('update contacts set owner_user_id = $1 where id = $2', [
      values.send_from_user_id,
      values.contact_id,
    ]);
    return Number(added?.id);
  };
}

/** How often a provider received the key of a row, and how many messages its recipient sees: e-mails with the same id are one. */
function receivedBy({ mail, carrier }: Providers, key: unknown) {
  const entry = [...mail.received(), ...carrier.received()].find((one) => one.key === key);
  const mails = mail.messageIds().filter((id) => id.includes(String(key)));
  const accepted = entry?.channel === 'email' ? mails.length : (entry?.accepted ?? 0);
  return { arrivals: entry?.arrivals ?? 0, accepted };
}

/** Makes waiting rows due and expires leases, as if time had passed. */
async function letTimePass({ rows }: SchedulingUnderTest): Promise<void> {
  await rows(
    "update communications set next_attempt_at = now() where dispatch_state = 'Scheduled' and send_at <= now()",
  );
  await rows(
    "update communications set lease_until = now() - interval '1 second' where dispatch_state = 'Sending'",
  );
}
