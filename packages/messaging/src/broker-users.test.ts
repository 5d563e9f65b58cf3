import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { connect, headers, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokerWithUsers } from '../test/broker-with-users.ts';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import {
  allSent,
  brokerAt,
  createService,
  deadLetters,
  effects,
  eventually,
  lostAt,
  rename,
  type TestService,
  untilEffects,
} from '../test/rig.ts';
import { inboxOf, operatorUser } from './broker-users.ts';
import { redeliver } from './redeliver.ts';
import { streamOf } from './stream-name.ts';

/** The event that a service would publish, as somebody else has made it up. */
const forgedBy = ({ service }: TestService, name = 'forged') => ({
  subject: `crm.${service}.contact.renamed`,
  text: JSON.stringify({
    specversion: '1.0',
    id: randomUUID(),
    source: `/crm/${service}`,
    type: `crm.${service}.contact.renamed`,
    subject: 'contact/1',
    time: '2026-03-01T09:00:00Z',
    datacontenttype: 'application/json',
    aggregateversion: 1,
    actor: 'system',
    requestid: 'forged',
    data: { name },
  }),
});

async function stolenFrom({ service }: TestService, port: number): Promise<NatsConnection> {
  const stolen = await connect({
    servers: `127.0.0.1:${port}`,
    user: service,
    pass: `secret of ${service}`,
    inboxPrefix: inboxOf(service),
  });
  onTestFinished(() => stolen.close());
  return stolen;
}

/** Asks the broker with a stolen credential; what it answers or refuses does not matter, only what comes of it. */
async function tryTo(thief: NatsConnection, subject: string, payload: unknown, reply?: string) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  if (reply === undefined) await thief.request(subject, text, { timeout: 1_000 }).catch(() => undefined);
  else thief.publish(subject, text, { reply });
  await thief.flush();
}

describe('a broker with a user for each service', () => {
  it('carries events, and the operator redelivers them', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const { connected } = await brokerWithUsers([publisher, consumer]);
    consume(consumer, await connected(consumer.service), [countsRenamed(publisher)]);
    relay(publisher, await connected(publisher.service));
    await rename(publisher);
    await untilEffects(consumer, 1);
    const { rows } = await publisher.pool.query('select payload from outbox');
    const again = { ...rows[0].payload, id: randomUUID() };
    await redeliver(await connected(operatorUser), consumer.service, again);
    await untilEffects(consumer, 2);
  });

  it('admits nobody without a user, nor with a wrong password', async () => {
    const one = await createService('one');
    const { server, urlOf } = await brokerWithUsers([one]);
    for (const url of [server.url, urlOf(one.service, 'a guess'), urlOf('nobody')]) {
      await expect(brokerAt(url).ready(1_500), url).rejects.toThrow('did not respond');
    }
  });

  it('accepts no event of a service from the credential of another, by whatever way', async () => {
    const [victim, listener, thief] = [
      await createService('victim'),
      await createService('listener'),
      await createService('thief'),
    ];
    const { server, connected } = await brokerWithUsers([victim, listener, thief]);
    consume(listener, await connected(listener.service), [countsRenamed(victim), countsRenamed(thief)]);
    for (const one of [victim, thief]) {
      relay(one, await connected(one.service));
      await rename(one, { name: `by ${one.service}` });
      await allSent(one);
    }
    const stolen = await stolenFrom(thief, server.port);
    const { subject, text } = forgedBy(victim);
    const publishOwn = (event: string, options = {}) =>
      stolen.request(`crm.${thief.service}.${event}`, forgedBy(victim).text, { timeout: 1_000, ...options });
    await tryTo(stolen, subject, text);
    await tryTo(stolen, `crm-redrive.${victim.service}.${listener.service}.contact.renamed`, text);
    await tryTo(stolen, `$JS.API.STREAM.DELETE.${streamOf(victim.service)}`, '');
    // As an event of its own that claims to be one of the other, redelivered.
    const disguised = headers();
    disguised.set('Crm-Subject', subject);
    await publishOwn('contact.renamed', { headers: disguised });
    const operator = await connected(operatorUser);
    await eventually(
      () => deadLetters(listener),
      (all) => all.length === 1,
    );
    // By the broker itself, which is asked to change the subjects of its messages or to deliver them to the other stream.
    const own = streamOf(thief.service);
    const { config } = (await stolen.request(`$JS.API.STREAM.INFO.${own}`)).json<{ config: object }>();
    const all = `crm.${thief.service}.>`;
    const change = `$JS.API.STREAM.UPDATE.${own}`;
    await tryTo(stolen, change, { ...config, subject_transform: { src: all, dest: subject } });
    await tryTo(stolen, change, { ...config, republish: { src: all, dest: subject } });
    await publishOwn('other');
    const consumer = { durable_name: thief.service, name: thief.service, deliver_policy: 'all' };
    for (const stream of [own, streamOf(victim.service)]) {
      const create = `$JS.API.CONSUMER.CREATE.${stream}.${thief.service}`;
      await tryTo(stolen, create, { stream_name: stream, config: { ...consumer, ack_policy: 'none' } });
      await tryTo(stolen, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${thief.service}`, { batch: 10 }, subject);
      await tryTo(stolen, create, { stream_name: stream, config: { ...consumer, deliver_subject: subject } });
      for (const seq of [1, 2, 3]) await tryTo(stolen, `$JS.API.DIRECT.GET.${stream}`, { seq }, subject);
    }
    await publishOwn('another');
    await rename(victim, { version: 2, name: 'later' });
    await eventually(
      () => effects(listener),
      (all) => all.includes('later'),
    );
    const genuine = [`by ${thief.service}`, `by ${victim.service}`, 'later'];
    expect((await effects(listener)).sort()).toEqual(genuine.sort());
    const query = { subjects_filter: subject };
    const { state } = await operator.session().jsm.streams.info(streamOf(victim.service), query);
    expect(state.subjects).toEqual({ [subject]: 2 });
  });
});

describe('the user of a service', () => {
  it('publishes its events also if an older release has configured it', async () => {
    const own = await createService('own');
    const older = (lines: string) => lines.replace(/"\$JS\.API\.STREAM\.MSG\.GET[^"]*",/, '');
    const { connected } = await brokerWithUsers([own], undefined, older);
    for (const version of [1, 2]) {
      const { stop } = relay(own, await connected(own.service));
      await rename(own, { version });
      await allSent(own);
      await stop();
    }
    expect(await lostAt(own)).toBeNull();
  });

  it('reads the events that the service subscribes to, and no others', async () => {
    const [secretive, open, thief] = [
      await createService('secretive'),
      await createService('open'),
      await createService('thief'),
    ];
    const { server, connected } = await brokerWithUsers([secretive, open, thief], secretive);
    for (const one of [secretive, open]) {
      relay(one, await connected(one.service));
      await rename(one);
      await allSent(one);
    }
    const stolen = await stolenFrom(thief, server.port);
    const received: string[] = [];
    const inbox = `${inboxOf(thief.service)}.read`;
    stolen.subscribe(inbox, {
      callback: (_error, message) => void received.push(`${message.subject} ${message.string()}`),
    });
    const consumer = { durable_name: thief.service, name: thief.service, deliver_policy: 'all' };
    for (const stream of [secretive, open].map(({ service }) => streamOf(service))) {
      const create = `$JS.API.CONSUMER.CREATE.${stream}.${thief.service}`;
      await tryTo(stolen, create, { stream_name: stream, config: { ...consumer, ack_policy: 'none' } });
      await tryTo(stolen, `$JS.API.CONSUMER.MSG.NEXT.${stream}.${thief.service}`, { batch: 10 }, inbox);
      await tryTo(stolen, `$JS.API.STREAM.MSG.GET.${stream}`, { seq: 1 }, inbox);
      await tryTo(stolen, `$JS.API.DIRECT.GET.${stream}.1`, '', inbox);
      await tryTo(stolen, `$JS.API.DIRECT.GET.${stream}`, { seq: 1 }, inbox);
    }
    const event = `crm.${open.service}.contact.renamed`;
    await eventually(
      async () => received,
      (all) => all.some((message) => message.startsWith(event)),
    );
    await stolen.flush();
    for (const message of received) expect(message).not.toContain(secretive.service);
  });

  it('lets it read back what the service has published, by which it notices a loss', async () => {
    const [own, other] = [await createService('own'), await createService('other')];
    const { connected } = await brokerWithUsers([own, other], other);
    for (const one of [own, other]) {
      relay(one, await connected(one.service));
      await rename(one);
      await allSent(one);
    }
    const { jsm } = (await connected(own.service)).session();
    const message = await jsm.streams.getMessage(streamOf(own.service), { seq: 1 });
    expect(message?.json()).toMatchObject({ type: `crm.${own.service}.contact.renamed` });
    await expect(jsm.streams.getMessage(streamOf(other.service), { seq: 1 })).rejects.toMatchObject({
      cause: expect.any(PermissionViolationError),
    });
  });
});

describe('a broker URL with tls:', () => {
  it('sends no password over a connection that is not encrypted', async () => {
    let received = '';
    const server = createServer((socket) => {
      socket.write(
        `INFO ${JSON.stringify({ server_id: 'x', version: '2.14.0', proto: 1, max_payload: 1_000_000, headers: true })}\r\n`,
      );
      socket.on('data', (data) => {
        received += data;
        socket.write('PONG\r\n');
      });
      socket.on('error', () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await expect(brokerAt(`tls://anna:secret@127.0.0.1:${port}`).ready(1_000)).rejects.toThrow();
    expect(received).not.toContain('secret');
    await brokerAt(`nats://anna:secret@127.0.0.1:${port}`)
      .ready(500)
      .catch(() => undefined);
    expect(received).toContain('secret');
  });
});
