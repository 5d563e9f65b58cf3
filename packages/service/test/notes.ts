import {
  eventStream,
  find,
  id,
  integer,
  internal,
  invalidField,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { readModel, type Store, visibleBy } from '@crm/data';
import { CloudEvent, defineEvent } from '@crm/events';
import {
  auditTables,
  deadLetterTable,
  deliveryTables,
  lostEventColumns,
  messagingTables,
  partitionedMessagingTables,
  republishingColumn,
  throttledNotifications,
} from '@crm/messaging';
import { defineEntity, p } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';
import { z } from 'zod';
import {
  answerWith,
  type Context,
  findPage,
  getRecord,
  idempotencyTables,
  implement,
  inSteps,
  loadForChange,
  proceduresOf,
  publish,
  type ServiceDefinition,
} from '../src/index.ts';

/** A minimal service, to test what every service guarantees. */
const NoteView = z.object({ id, user_id: id, text: text(10), likes: integer });

const noteApi = {
  find: operation({ rest: 'GET /notes', summary: 'List', input: find(NoteView), output: pageOf(NoteView) }),
  get: operation({
    rest: 'GET /notes/:id',
    summary: 'Read',
    input: record(NoteView, { id }),
    output: NoteView,
  }),
  create: operation({
    rest: 'POST /notes',
    summary: 'Write',
    input: z.object({ text: text(10) }),
    output: NoteView,
  }),
  like: operation({
    rest: 'PATCH /notes/:id',
    summary: 'Like',
    input: record(NoteView, { id }),
    output: NoteView,
  }),
  swap: internal({
    kind: 'mutation',
    for: 'user',
    summary: 'Lock two notes in the given order',
    input: z.object({ first: id, second: id }),
    output: z.object({ attempts: integer }),
  }),
  purge: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['operator'],
    summary: 'Remove all',
    input: z.object({}),
    output: z.object({}),
  }),
  fault: internal({
    kind: 'query',
    for: 'user',
    summary: 'Break',
    input: z.object({}),
    output: z.object({}),
  }),
};

const visibleNotes = (user: { readonly id: number }) => ({ user_id: user.id });

const NoteSchema = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    text: p.string(),
    likes: p.integer(),
  },
  filters: visibleBy(visibleNotes),
});
class Note extends NoteSchema.class {}
NoteSchema.setClass(Note);

const noteRows = readModel(NoteView, { table: 'notes', visible: visibleNotes });
const noteWritten = defineEvent('notes.note.written', 'A note was written', z.object({ note_id: z.int() }));
const noteLiked = defineEvent('notes.note.liked', 'A note was liked', z.object({ note_id: z.int() }));

export const notesApi = { notes: noteApi, events: eventStream(CloudEvent, [noteWritten, noteLiked]) };

let attempts = 0;

/** What happens before notes are looked for, when a test says so. */
export const reading: { before?: () => Promise<void> } = {};

/** What happens after a note is written, and after a like of one is committed, when a test says so. */
export const writing: { after?: () => void; afterLike?: (ctx: Context) => Promise<unknown> } = {};

const noteHandlers = implement(noteApi, {
  find: async (ctx, input) => {
    await reading.before?.();
    return findPage(ctx, noteRows, input);
  },
  get: (ctx, input) => getRecord(ctx, noteRows, input),
  create: async (ctx, { text }) => {
    const note = ctx.em.create(Note, { text, likes: 0, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, noteWritten, note, { note_id: note.id });
    // After everything was written, so that tests can check the rollback.
    writing.after?.();
    if (text === 'bad') throw invalidField('text', 'is bad');
    if (text === 'slow') await ctx.query('select pg_sleep(0.5)', []);
    return answerWith(ctx, noteRows, note.id);
  },
  like: inSteps(noteApi.like, {
    act: async (ctx, { id }) => {
      const note = await loadForChange(ctx, Note, noteRows, { id });
      note.likes += 1;
      return answerWith(ctx, noteRows, id);
    },
    complete: async (ctx, note) => {
      await writing.afterLike?.(ctx);
      return note;
    },
  }),
  swap: async (ctx, { first, second }) => {
    attempts += 1;
    await likeSlowly(ctx, first);
    await likeSlowly(ctx, second);
    return { attempts };
  },
  purge: async () => ({}),
  fault: async () => {
    throw new Error('canary-7f3a: select * from secrets');
  },
});

async function likeSlowly(ctx: Context, id: number) {
  const note = await loadForChange(ctx, Note, noteRows, { id });
  note.likes += 1;
  await ctx.em.flush();
  await ctx.query('select pg_sleep(0.1)', []);
}

class Notes extends Migration {
  override up() {
    this.addSql(messagingTables + throttledNotifications + deliveryTables + lostEventColumns);
    this.addSql(republishingColumn + deadLetterTable + auditTables);
    this.addSql(partitionedMessagingTables);
    this.addSql(idempotencyTables);
    this.addSql(`create table notes (
      id integer generated by default as identity primary key,
      version integer not null default 1,
      user_id integer not null,
      text varchar(10) not null,
      likes integer not null
    )`);
  }
}

const store: Store = {
  schema: 'notes',
  entities: [Note],
  migrations: [{ name: '0001-notes', load: async () => ({ Notes }) }],
};

export const notesService: ServiceDefinition = {
  name: 'notes',
  procedures: proceduresOf(notesApi, { notes: noteHandlers }),
  store,
  subscriptions: [],
  workers: [],
};
