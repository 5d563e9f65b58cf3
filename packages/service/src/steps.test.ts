import { system } from '@crm/auth';
import { type Call, type CallService, clientOver } from '@crm/client';
import { id, internal, refusal, text } from '@crm/contract';
import { openDatabase } from '@crm/data';
import { freshDatabase, someone } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { notesService } from '../test/notes.ts';
import { authenticator } from './authenticate.ts';
import { entryTo } from './call.ts';
import { findAnswer, replaceAnswer, storeAnswer } from './idempotency.ts';
import { createLog, implement, inSteps, linkedPeers, machineClock, peer, proceduresOf } from './index.ts';
import { remotePeers } from './peers.ts';
import { turnsOfDatabase } from './turns-of-database.ts';

/** A service that asks a peer for the name of a color before it writes, and for another one afterwards. */
const paintApi = {
  paints: {
    mix: internal({
      kind: 'mutation',
      for: 'user',
      summary: 'Mix',
      input: z.object({ color_id: id, early: z.boolean().default(false) }),
      output: z.object({ note_id: id, color: z.string(), shown: z.string() }),
    }),
  },
};
const colorApi = {
  colors: {
    get: internal({
      kind: 'query',
      for: 'user',
      summary: 'Name',
      input: z.object({ id }),
      output: z.object({ name: text(20) }),
    }),
  },
};
const colors = peer('colors', colorApi);

const paints = implement(paintApi.paints, {
  mix: inSteps(paintApi.paints.mix, {
    ask: (ctx, { color_id }) => colors.onBehalf(ctx).colors.get({ id: color_id }),
    act: async (ctx, { early, color_id }, { name }) => {
      if (early) await colors.asSystem(ctx).colors.get({ id: color_id });
      const [row] = await ctx.query(
        "insert into notes (user_id, text, likes) values ($1, 'mixed', 0) returning id",
        [ctx.user.id],
      );
      return { note_id: Number(row?.id), color: name };
    },
    finish: async (ctx, done) => {
      const { name } = await colors.asSystem(ctx).colors.get({ id: 7 });
      await ctx.query('select', []);
      return { ...done, shown: name };
    },
  }),
});

let asked: Call[] = [];
let names: Record<number, string> = {};
const noColor = refusal('NotFound', 'There is no such color.', {
  reason: 'no_color',
  when: '',
  fix: '',
  example: '',
});
const callColors: CallService = async (call) => {
  asked.push(call);
  const name = names[(call.input as { id: number }).id];
  if (name === undefined) throw noColor();
  return { text: JSON.stringify({ name }), replayed: false };
};
beforeEach(() => {
  asked = [];
  names = { 1: 'red', 7: 'seven' };
});

const fresh = await freshDatabase([notesService.store]);
const database = await openDatabase({ url: fresh.urls.notes ?? '', store: notesService.store });
afterAll(async () => {
  await database.close();
  await fresh.drop();
});
const anna = someone();
const runtime = {
  name: 'paints',
  procedures: proceduresOf(paintApi, { paints }),
  database,
  peers: linkedPeers({ colors: callColors }, 'paints'),
  authenticate: authenticator('paints', callColors),
  clock: machineClock,
  log: createLog('paints', 'silent'),
  checkAnswers: true,
  turns: turnsOfDatabase(),
};
const call = entryTo(runtime);
const mix = clientOver(paintApi, call, { actor: anna }).paints.mix;
const count = async () => Number((await database.query('select count(*) from notes', []))[0]?.count);

describe('a mutation in steps', () => {
  it('calls peers for its caller before, and as the system after, with one request id', async () => {
    expect(await mix({ color_id: 1 })).toMatchObject({ color: 'red', shown: 'seven' });
    expect(asked.map(({ credential }) => credential)).toEqual([
      { actor: anna },
      { actor: { system: true, caller: 'paints' } },
    ]);
    expect(new Set(asked.map(({ requestId }) => requestId)).size).toBe(1);
  });

  it('is finished after its commit even if its caller has left', async () => {
    const leaving = new AbortController();
    names = {
      1: 'red',
      get 7() {
        leaving.abort();
        return 'seven';
      },
    };
    expect(await mix({ color_id: 1 }, { signal: leaving.signal })).toMatchObject({ shown: 'seven' });
  });

  it('changes nothing if a peer refuses, and throws the same error', async () => {
    const before = await count();
    await expect(mix({ color_id: 2 })).rejects.toMatchObject({ message: 'There is no such color.' });
    expect(await count()).toBe(before);
  });

  it('cannot call peers inside its transaction', async () => {
    const before = await count();
    await expect(mix({ color_id: 1, early: true })).rejects.toThrow('inside a transaction');
    expect(await count()).toBe(before);
  });

  it('keeps what was committed if the step after it fails', async () => {
    const before = await count();
    names = { 1: 'red' };
    await expect(mix({ color_id: 1 })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await count()).toBe(before + 1);
  });

  it('repeated with its key acts once, calls no peer again and finishes on the stored result', async () => {
    const before = await count();
    const first = await mix({ color_id: 1 }, { idempotencyKey: 'once' });
    names = { 7: 'another' };
    const second = await mix({ color_id: 1 }, { idempotencyKey: 'once' });
    expect(second).toEqual({ ...first, shown: 'another' });
    expect(await count()).toBe(before + 1);
  });

  it('can store its final response for repetitions, and is finished once', async () => {
    let finished = 0;
    const brush = implement(paintApi.paints, {
      mix: inSteps(paintApi.paints.mix, {
        act: async (_ctx, { color_id }) => ({ note_id: color_id, color: 'red', shown: '' }),
        finish: async (_ctx, done) => {
          if (done.shown === '') finished += 1;
          return done.shown === '' ? { ...done, shown: `shown ${finished}` } : done;
        },
        keep: true,
      }),
    });
    const brushCall = entryTo({ ...runtime, procedures: proceduresOf(paintApi, { paints: brush }) });
    const { paints: painting } = clientOver(paintApi, brushCall, { actor: someone() });
    const first = await painting.mix({ color_id: 1 }, { idempotencyKey: 'kept' });
    expect(first.shown).toBe('shown 1');
    expect(await painting.mix({ color_id: 1 }, { idempotencyKey: 'kept' })).toEqual(first);
    expect(await painting.mix({ color_id: 1 }, { idempotencyKey: 'another' })).not.toEqual(first);
    expect(finished).toBe(2);
  });

  it('does not replace what was stored for another request with the same key since', async () => {
    const { query } = database;
    const request = { actor: 'user/1', operation: 'paints.mix', key: 'k', input: { color_id: 1 } };
    const other = { ...request, input: { color_id: 2 } };
    await storeAnswer(query, other, { answer: '"other"' }, new Date());
    await replaceAnswer(query, request, '"late"');
    expect(await findAnswer(query, other, new Date())).toEqual({ answer: '"other"' });
    await replaceAnswer(query, other, '"final"');
    expect(await findAnswer(query, other, new Date())).toEqual({ answer: '"final"' });
  });

  it('repeated after its last step failed is finished', async () => {
    names = { 1: 'red' };
    await expect(mix({ color_id: 1 }, { idempotencyKey: 'late' })).rejects.toMatchObject({
      name: 'NotFound',
    });
    const before = await count();
    names = { 7: 'seven' };
    expect(await mix({ color_id: 1 }, { idempotencyKey: 'late' })).toMatchObject({ shown: 'seven' });
    expect(await count()).toBe(before);
  });
});

describe('a peer in another process', () => {
  const withIdentity = () => {
    const issued: unknown[] = [];
    const identity: CallService = async ({ input, credential }) => {
      expect(credential).toEqual({ token: 'crm_sv_secret' });
      issued.push(input);
      return { text: JSON.stringify({ internal_token: `t${issued.length}` }), replayed: false };
    };
    return { issued, peers: remotePeers({ colors: callColors }, identity, 'crm_sv_secret') };
  };

  it('receives a token per call of a user, in exchange for theirs, and a reused one of the service', async () => {
    const { issued, peers } = withIdentity();
    const caller = { peers, requestId: 'r', actor: anna, credential: { token: 'of anna' } };
    for (const client of [colors.asSystem(caller), colors.onBehalf(caller)]) {
      await client.colors.get({ id: 1 });
      await client.colors.get({ id: 1 });
    }
    const exchange = { audience: 'colors', token: 'of anna' };
    expect(issued).toEqual([{ audience: 'colors' }, exchange, exchange]);
    expect(asked.map(({ credential }) => credential)).toEqual(
      ['t1', 't1', 't2', 't3'].map((token) => ({ token })),
    );
  });

  it('is not called for somebody who has presented no token, nor for another service', async () => {
    const { issued, peers } = withIdentity();
    const invented = { peers, requestId: 'r', actor: anna, credential: { actor: anna } };
    await expect(colors.onBehalf(invented).colors.get({ id: 1 })).rejects.toThrow('presented no token');
    const service = { ...invented, actor: { ...system, caller: 'contacts' }, credential: { token: 'its' } };
    await expect(colors.onBehalf(service).colors.get({ id: 1 })).rejects.toThrow('Only a user');
    expect(issued).toEqual([]);
  });

  it('that is not listed cannot be called', async () => {
    const { peers } = withIdentity();
    const client = peer('others', colorApi).asSystem({ peers, requestId: 'r' });
    await expect(client.colors.get({ id: 1 })).rejects.toThrow('does not list "others" in its needs');
  });
});
