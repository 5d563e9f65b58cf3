import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { letPass, webRequest } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest({ maxPerContact: { texts: 3, emails: 1 } });
afterAll(under.close);
const { service, mail, due, turn, later } = under;

/** Sends what is due through a mail server that greets after some seconds, during which something happens. */
async function turnWith(meanwhile: () => Promise<unknown>) {
  const target = new URL(mail.url);
  const upstreamPort = Number(target.port);
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket.on('error', () => undefined));
    await meanwhile();
    letPass(3_300);
    const upstream = connect(upstreamPort, target.hostname).on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  target.port = String(port);
  await under.instanceWith(under.settings.delivery.carrier, under.plenty, target.href)();
}

const waits = {
  dispatch_state: 'Scheduled',
  dispatch_reason:
    'The mail server kept it waiting, and it could not be confirmed that it may still be sent.',
};

describe('an e-mail that the mail server delays', () => {
  it('is checked again and sent, and counts once for its limit', async () => {
    const one = await due('Email Contact');
    const checked: unknown[] = [];
    await turnWith(async () => checked.push((await one.now()).begun_at));
    const now = await one.now();
    expect(now).toMatchObject({ dispatch_state: 'Sent', attempts: 1, sent_to: one.to.email });
    expect(checked).toEqual([expect.anything()]);
    expect(checked).not.toEqual([now.begun_at]);
    expect(one.received()).toEqual({ arrivals: 1, accepted: 1 });
  });

  it.each<[string, (one: Awaited<ReturnType<typeof due>>) => Promise<unknown>, object]>([
    [
      'whose contact opts out',
      ({ key }) => {
        const click = { params: { key: String(key) }, body: 'List-Unsubscribe=One-Click' };
        return service.asSystem.unsubscribe.unsubscribe(webRequest(click));
      },
      { dispatch_state: 'Failed', dispatch_reason: 'The address of the contact has opted out.' },
    ],
    [
      'whose contact is removed',
      ({ to }) => service.contacts.rows('delete from contacts where id = $1', [to.id]),
      { dispatch_state: 'Dropped' },
    ],
    [
      'whose sender stops everything',
      ({ from }) => service.asSystem.sendingPauses.add({ user_id: from.id }),
      { dispatch_state: 'Scheduled' },
    ],
  ])('%s meanwhile is not sent', async (_, meanwhile, ended) => {
    const one = await due('Email Contact');
    await turnWith(() => meanwhile(one));
    expect(await one.now()).toMatchObject({ ...waits, begun_at: null, doubtful_since: null });
    await service.rows("update opt_out_changes set noted_at = now() - interval '1 minute'");
    await later();
    await turn();
    expect(await one.now()).toMatchObject(ended);
    expect(one.received()).toEqual({ arrivals: 0, accepted: 0 });
  });

  it('whose contact gets another address meanwhile is sent only there', async () => {
    const one = await due('Email Contact');
    const email = `moved-${one.to.id}@example.com`;
    await turnWith(() =>
      service.contacts.rows('update contacts set email = $2 where id = $1', [one.to.id, email]),
    );
    expect(await one.now()).toMatchObject(waits);
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent', sent_to: email });
    expect(one.received()).toEqual({ arrivals: 1, accepted: 1 });
  });

  it('whose worker has lost its lease is not sent by that worker', async () => {
    const one = await due('Email Contact');
    await turnWith(later);
    expect(one.received()).toEqual({ arrivals: 0, accepted: 0 });
    await turn();
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
    expect(one.received()).toEqual({ arrivals: 1, accepted: 1 });
  });
});
