import { preferencesIn } from '@crm/client';
import { disconnectionOf } from '@crm/service/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { conditionsOf } from './conditions.ts';
import { takeDryRun } from './dry-run.ts';
import type { PlacedRoute } from './record-place.ts';

export type RequestOptions = ReturnType<typeof requestOptions>;

/** What a call needs of a request besides its operation, and its body without options. Throws BadRequest. */
export function requestOptions(
  { route, place }: PlacedRoute,
  { opened, raw }: FastifyRequest,
  reply: FastifyReply,
  sent: Readonly<Record<string, unknown>> = {},
) {
  const preferences = preferencesIn(raw.headers);
  if (preferences.strict) reply.header('preference-applied', 'handling=strict');
  const { headers } = raw;
  const { dryRun, query, body } = takeDryRun({ query: opened?.query ?? {}, body: sent, headers }, route);
  if (dryRun) reply.header('dry-run', 'true');
  return {
    preferences,
    dryRun,
    query,
    body,
    conditions: conditionsOf(raw, route.method, place),
    signal: disconnectionOf(reply.raw),
  };
}
