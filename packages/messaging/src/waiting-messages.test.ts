import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consume, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  createService,
  deadLetters,
  effects,
  eventually,
  rename,
  renamedOf,
  type TestService,
  untilEffects,
} from '../test/rig.ts';
import { redriveDeadLetter } from './dead-letters.ts';
import { on, type Subscription } from './subscription.ts';

/** A handler that waits for locks of its table for a moment only, and how often it has begun. */
function impatient({ service }: TestService) {
  const attempts: string[] = [];
  const subscription = on(renamedOf(service), 'counts it', async ({ em, event }) => {
    attempts.push(event.id);
    await em.execute("set local lock_timeout = '100ms'");
    await em.execute('insert into effects (event_id, name) values (?, ?)', [event.id, event.data.name]);
  });
  return { attempts, subscription };
}

/** Keeps everybody from the table until it is released. */
async function lockEffects({ pool }: TestService) {
  const operator = await pool.connect();
  await operator.query('begin; lock table effects in access exclusive mode');
  let isHeld = true;
  const release = async () => {
    if (isHeld) await operator.query('commit').then(() => operator.release());
    isHeld = false;
  };
  onTestFinished(release);
  return release;
}

/** Makes each insert into the table of handlers fail with a code, an expression of SQL. */
const failWith = ({ pool }: TestService, code: string) =>
  pool.query(`create function fail() returns trigger language plpgsql
      as $$ begin raise exception using errcode = ${code}; end $$;
    create trigger fail before insert on effects for each row execute function fail()`);

const failuresIn = async ({ pool }: TestService) =>
  (await pool.query('select failures from inbox_failures')).rows;

async function participants() {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  relay(publisher, broker);
  return { publisher, consumer, broker };
}

describe('messages whose handler cannot go on', () => {
  it('wait while somebody has locked a table, which is no failure and is logged once', async () => {
    const { publisher, consumer, broker } = await participants();
    const { attempts, subscription } = impatient(publisher);
    const lines: { msg: string; err?: { code?: string } }[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
    const release = await lockEffects(consumer);
    consume(consumer, broker, [subscription], { maxFailures: 2, backoffMs: [50], log });
    for (const id of [1, 2]) await rename(publisher, { id });
    await eventually(
      () => attempts,
      (all) => all.length >= 6,
    );
    expect([await deadLetters(consumer), await failuresIn(consumer)]).toEqual([[], []]);
    await release();
    await untilEffects(consumer, 2);
    await expect
      .poll(() => lines.map(({ msg }) => msg))
      .toEqual([
        'messages wait because the database is unavailable or a table is locked',
        'messages are no longer waiting',
      ]);
    expect(lines[0]?.err?.code).toBe('55P03');
  });

  it('wait after errors that say nothing about them', async () => {
    const codes = ['08006', '25006', '25P03', '28000', '53200', '57P01'];
    const { publisher, consumer, broker } = await participants();
    const { attempts, subscription } = impatient(publisher);
    await failWith(consumer, 'new.name');
    const options = { maxFailures: 1, backoffMs: [50], concurrency: codes.length };
    consume(consumer, broker, [subscription], options);
    for (const [id, name] of codes.entries()) await rename(publisher, { id, name });
    await eventually(
      () => attempts,
      (all) => all.length >= 2 * codes.length,
    );
    expect([await deadLetters(consumer), await failuresIn(consumer)]).toEqual([[], []]);
    await consumer.pool.query('drop function fail cascade');
    await eventually(
      () => effects(consumer),
      (all) => all.length === codes.length,
    );
    expect(await effects(consumer)).toEqual(codes);
  });

  it.each(['57014', '25P04', '23505'])('have failed after %s, which can be their own', async (code) => {
    const { publisher, consumer, broker } = await participants();
    await failWith(consumer, `'${code}'`);
    consume(consumer, broker, [impatient(publisher).subscription], { maxFailures: 2, backoffMs: [50] });
    await rename(publisher);
    await eventually(
      () => deadLetters(consumer),
      (letters) => letters.length > 0,
    );
    expect(await deadLetters(consumer)).toMatchObject([{ failures: 2 }]);
  });
});

describe('a dead letter that is redriven', () => {
  it('has not failed once more if somebody has locked a table', async () => {
    const { publisher, consumer, broker } = await participants();
    await failWith(consumer, "'23505'");
    const { subscription } = impatient(publisher);
    const consuming = consume(consumer, broker, [subscription], { maxFailures: 1 });
    await rename(publisher);
    await allSent(publisher);
    const [letter] = await eventually(
      () => deadLetters(consumer),
      (letters) => letters.length > 0,
    );
    await consuming.stop();
    await consumer.pool.query('drop function fail cascade');
    const redrive = (subscriptions: Subscription[]) =>
      consumer.orm.em
        .fork()
        .transactional((em) => redriveDeadLetter(em, consumer.service, subscriptions, letter?.id ?? 0));
    const release = await lockEffects(consumer);
    await expect(redrive([subscription])).rejects.toMatchObject({ code: '55P03' });
    await release();
    expect(await deadLetters(consumer)).toEqual([letter]);
    expect(await redrive([subscription])).toEqual({ isHandled: true, reason: null });
    expect(await effects(consumer)).toEqual(['Ada']);
  });
});
