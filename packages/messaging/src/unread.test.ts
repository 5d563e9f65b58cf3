import { describe, expect, it } from 'vitest';
import { brokerWithUsers } from '../test/broker-with-users.ts';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import { allSent, createService, rename, untilEffects } from '../test/rig.ts';
import { operatorUser } from './broker-users.ts';
import { listUnread } from './unread.ts';

/** A consumer that subscribes to the events of two publishers, of which it may not read the secretive one. */
async function withoutOneStream() {
  const [secretive, open, reader] = [
    await createService('secretive'),
    await createService('open'),
    await createService('reader'),
  ];
  const { connected } = await brokerWithUsers([secretive, open, reader], secretive);
  for (const one of [secretive, open]) {
    relay(one, await connected(one.service));
    await rename(one);
    await allSent(one);
  }
  const broker = await connected(reader.service);
  const { stop } = consume(reader, broker, [countsRenamed(open), countsRenamed(secretive)]);
  await untilEffects(reader, 1);
  return {
    reader: reader.service,
    secretive: secretive.service,
    open: open.service,
    operator: await connected(operatorUser),
    async end() {
      await stop();
      await broker.close();
    },
  };
}

describe('the operator learns which events a service does not read', () => {
  it('because its user may not read the stream, or nobody has published yet', async () => {
    const { reader, secretive, open, operator } = await withoutOneStream();
    expect(await listUnread(operator, { [reader]: [open, secretive, 'nobody'] })).toEqual([
      { consumer: reader, publisher: secretive, exists: false },
      { consumer: reader, publisher: 'nobody', exists: false },
    ]);
  });

  it('because it no longer asks for them', async () => {
    const { reader, open, operator, end } = await withoutOneStream();
    await end();
    expect(await listUnread(operator, { [reader]: [open] })).toEqual([
      { consumer: reader, publisher: open, exists: true },
    ]);
  });
});
