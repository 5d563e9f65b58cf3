import { hasDryRun, invalidField } from '@crm/contract';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdmittedCall } from './call-context.ts';
import type { Pending } from './pending.ts';

const undone = new Error('This transaction is a dry run.');

/** Runs work in a transaction that is rolled back, and returns its result. */
export async function runAndRollBack<Result>(
  em: EntityManager,
  work: (tx: EntityManager) => Promise<Pending<Result>>,
): Promise<Result> {
  const results: Result[] = [];
  const rollback = async (tx: EntityManager) => {
    results.push(await (await work(tx)).result);
    throw undone;
  };
  await em.transactional(rollback).catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return results[0] as Result;
}

/** Throws BadRequest for an operation that cannot be tried. */
export function demandDryRun({ procedure, dryRun }: Pick<AdmittedCall, 'procedure' | 'dryRun'>): void {
  if (dryRun && !hasDryRun(procedure.operation))
    throw invalidField('dry_run', 'is not supported by this operation');
}
