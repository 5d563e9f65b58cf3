import { randomUUID } from 'node:crypto';
import { startCarriers } from '@crm/delivery/testing';
import type { WorkerContext } from '@crm/service';
import { someone } from '@crm/testing';
import type { CommunicationType } from '../src/communications/communication-type.api.ts';
import { openDispatch } from '../src/dispatch/dispatch.ts';
import type { Settings } from '../src/settings.ts';
import { publicUrl, schedulingUnderTest } from './harness.ts';

const plenty: Readonly<Record<CommunicationType, number>> = {
  'Email Contact': 100,
  'Text Contact': 100,
  'Call Contact': 100,
};

/** The service with providers of its own, in which messages are sent when a test calls `turn`. */
export async function dispatchUnderTest() {
  const { delivery, ...local } = await startCarriers(publicUrl);
  const settings: Settings = { delivery };
  const { promise, resolve } = Promise.withResolvers<WorkerContext>();
  const service = await schedulingUnderTest({
    settings,
    workers: [
      async (workerContext) => {
        resolve(workerContext);
        return { stop: async () => undefined };
      },
    ],
  });
  const workerContext = await promise;
  let count = 0;

  /** The settings of an instance, with a carrier that honours keys or not. */
  const settingsWith = (honoursKeys: boolean): Settings => {
    return { delivery: { ...delivery, carrier: { ...delivery.carrier, honoursKeys } } };
  };

  /** An instance that sends everything that is due, once per call. */
  const instance = (honoursKeys = true, free = plenty) => {
    const dispatch = openDispatch(settingsWith(honoursKeys), workerContext);
    return async () => {
      const due = await dispatch.take(free);
      await dispatch.finish(due, () => undefined);
      return due;
    };
  };

  /** A phone number that nobody else has. */
  const number = () => {
    count += 1;
    return `+1604555${String(1000 + count)}`;
  };

  const sender = async (facts: object = {}) => {
    const phone = number();
    const { id, email } = await service.identity.asSystem.users.create({
      email: `${randomUUID()}@harbour.example`,
      password: 'long enough',
      first_name: 'Anna',
      last_name: 'Lopez',
      phone,
      ...facts,
    });
    return { id, email, phone };
  };

  const contact = async (facts: object = {}) => {
    const mobile_phone = number();
    const { id, email } = await service.contacts.as(someone()).contacts.create({
      first_name: 'Carla',
      last_name: 'Jones',
      email: `${randomUUID()}@example.com`,
      mobile_phone,
      ...facts,
    });
    return { id, email: email ?? '', phone: mobile_phone };
  };

  /** A communication as an enrolment creates it, due now by default. */
  const communication = async (facts: Readonly<Record<string, unknown>> = {}): Promise<number> => {
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
    const [row] = await service.rows(
      `insert into communications (${names.join(', ')}, send_at, next_attempt_at, created_at, modified_at)
       values (${parameters.join(', ')}, ${send_at}, ${send_at}, now(), now()) returning id`,
      Object.values(plain),
    );
    return Number(row?.id);
  };

  const row = async (id: number) => {
    const [row] = await service.rows('select * from communications where id = $1', [id]);
    if (!row) throw new Error(`Communication ${id} does not exist.`);
    return row;
  };

  /** How often a provider received the key of a row, and how many messages its reader sees: e-mails with one id are one. */
  const received = (key: unknown) => {
    const entry = [...local.mail.received(), ...local.carrier.received()].find((one) => one.key === key);
    const mails = local.mail.mails().filter(({ message_id }) => message_id?.includes(String(key)));
    const accepted = entry?.channel === 'email' ? mails.length : (entry?.accepted ?? 0);
    return { arrivals: entry?.arrivals ?? 0, accepted };
  };

  /** A communication that is due, with a sender and a contact of its own. */
  const due = async (type: CommunicationType, facts: object = {}) => {
    const [from, to] = [await sender(), await contact()];
    const id = await communication({ type, contact_id: to.id, send_from_user_id: from.id, ...facts });
    const { key } = await row(id);
    return { id, key, from, to, now: () => row(id), received: () => received(key) };
  };

  return {
    ...local,
    settings,
    settingsWith,
    service,
    workerContext,
    instance,
    turn: instance(),
    number,
    sender,
    contact,
    communication,
    due,
    row,
    received,
    /** The domain events of a communication, by the last part of their names. */
    async eventsOf(id: number) {
      const events = await service.published();
      return events
        .filter(({ data }) => (data as { communication_id?: number }).communication_id === id)
        .map(({ type }) => type.replace('crm.scheduling.communication.', ''));
    },
    /** Lets time pass: waiting rows are due, and leases have expired. */
    async later() {
      await service.rows(
        "update communications set next_attempt_at = now() where dispatch_state = 'Scheduled' and send_at <= now()",
      );
      await service.rows(
        "update communications set lease_until = now() - interval '1 second' where dispatch_state = 'Sending'",
      );
    },
    async close() {
      await service.close();
      await local.close();
    },
  };
}
