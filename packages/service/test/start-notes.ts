import type { Actor } from '@crm/auth';
import type { CallService } from '@crm/client';
import { someone } from '@crm/testing';
import { inject } from 'vitest';
import { type Clock, createLog, type Logger, linkedPeers, machineClock, startService } from '../src/index.ts';
import { notesService } from './notes.ts';

interface Options {
  readonly definition?: typeof notesService;
  readonly clock?: Clock;
  /** Whom every token belongs to. */
  readonly actor?: Actor;
  readonly identity?: CallService;
  readonly drainMs?: number;
  readonly historyDays?: number;
  readonly poolerUrl?: string | undefined;
  readonly log?: Logger;
}

/** The service of notes on a real port and a database. */
export function startNotes(databaseUrl: string | undefined, options: Options = {}) {
  const {
    definition = notesService,
    clock = machineClock,
    actor = someone(),
    drainMs = 0,
    historyDays,
    poolerUrl,
    log = createLog('notes', 'silent'),
  } = options;
  const { identity = async () => ({ text: JSON.stringify(actor), replayed: false }) } = options;
  return startService(definition, {
    databaseUrl: databaseUrl ?? '',
    poolerUrl,
    natsUrl: inject('natsUrl'),
    natsReplicas: 1,
    auditDays: 400,
    historyDays,
    host: '127.0.0.1',
    port: 0,
    peers: linkedPeers({ identity }, 'notes'),
    clock,
    log,
    checkAnswers: true,
    drainMs,
  });
}
