import type { IncomingHttpHeaders } from 'node:http';
import { flag, invalidField, invalidFields, unknown } from '@crm/contract';
import { z } from 'zod';
import type { Route } from './routes.ts';

type Values = Readonly<Record<string, unknown>>;

interface Sent {
  readonly query: Values;
  readonly body: Values;
  readonly headers: IncomingHttpHeaders;
}

const parameter = 'dry_run';

/**
 * Whether a request is a dry run, and its other parameters and fields. Like other parameters, `dry_run` may be in the body, which
 * takes precedence, or in the header that tRPC clients send. Another spelling is refused, because otherwise the change would be
 * made. A GET has no such parameter, because it changes nothing anyway. Throws BadRequest.
 */
export function takeDryRun(
  { query, body, headers }: Sent,
  { method, operation }: Pick<Route, 'method' | 'operation'>,
): { readonly dryRun: boolean; readonly query: Values; readonly body: Values } {
  // The operation itself may have this parameter, to start a dry run that takes longer; the request then changes something.
  if (method === 'GET' || operation.query?.includes(parameter)) return { dryRun: false, query, body };
  refuseMisspelled('parameter', query);
  refuseMisspelled('field', body);
  const isOfRecord =
    operation.output instanceof z.ZodObject && Object.hasOwn(operation.output.shape, parameter);
  const sent = (isOfRecord ? undefined : body[parameter]) ?? query[parameter] ?? headers['dry-run'];
  const read = flag.optional().safeParse(sent);
  if (!read.success) throw invalidField(parameter, 'must be true or false');
  return { dryRun: read.data ?? false, query: without(query), body: isOfRecord ? body : without(body) };
}

function without(values: Values): Values {
  if (!Object.hasOwn(values, parameter)) return values;
  const { [parameter]: _, ...others } = values;
  return others;
}

function refuseMisspelled(what: string, values: Values): void {
  const names = Object.keys(values).filter((name) => name !== parameter && /^dry[-_]?run$/i.test(name));
  if (names.length === 0) return;
  throw invalidFields({
    errors: Object.fromEntries(names.map((name) => [name, unknown(what, name, [parameter])])),
  });
}
