import { flag, invalidField } from '@crm/contract';
import type { Route } from './routes.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * Whether a request is a dry run, and its other parameters. A GET has no such parameter, because it changes nothing anyway.
 * Throws BadRequest.
 */
export function takeDryRun(
  query: Query,
  { method, operation }: Pick<Route, 'method' | 'operation'>,
): { readonly dryRun: boolean; readonly query: Query } {
  // The operation itself may have this parameter, to start a dry run that takes longer; the request then changes something.
  const isOwn = operation.query?.includes('dry_run');
  if (method === 'GET' || isOwn || !Object.hasOwn(query, 'dry_run')) return { dryRun: false, query };
  const { dry_run, ...others } = query;
  const read = flag.safeParse(dry_run);
  if (!read.success) throw invalidField('dry_run', 'must be true or false');
  return { dryRun: read.data, query: others };
}
