import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

const attempts = 15;

/** A table is in use, or the session that uses it waits for a lock that is held here. */
const inUse = new Set(['55P03', '40P01']);

/**
 * A session that waits for a lock holds up all that come after it, so this does not wait for a long read, and pauses before it
 * tries again.
 */
export async function patiently(client: Client, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const waitMs = Math.min(attempt * 50, 500);
    try {
      await client.query(`set lock_timeout = ${waitMs}`);
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!inUse.has(code) || attempt === attempts) throw error;
      await sleep(waitMs * (1 + Math.random()));
    }
  }
}

/**
 * Runs all statements in order, or none. They are sent together, so that no lock is held while a busy process does other work.
 */
export async function inTransaction(client: Client, statements: readonly string[]): Promise<void> {
  try {
    await client.query(['begin', ...statements, 'commit'].join(';\n'));
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
