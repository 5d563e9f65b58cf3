import { type Answer, entityTagOf } from '@crm/client';
import { successOf } from '@crm/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './paths.ts';
import { idIn, type PlacedRoute } from './record-place.ts';
import type { RequestOptions } from './request-options.ts';

/** Sends a service's response, which is not parsed, with headers about its record. */
export function respond(
  { route, place }: PlacedRoute,
  { conditions, preferences, dryRun }: RequestOptions,
  { text, replayed }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { method, operation } = route;
  const id = place === 'below' ? idIn(text) : undefined;
  const hasTag = id !== undefined || (place === 'here' && method !== 'DELETE');
  // Nothing in the result of a dry run can be read afterwards.
  const tag = hasTag && !dryRun ? entityTagOf(text) : undefined;
  const isKnown = tag !== undefined && conditions.isUnchanged(tag);
  if (replayed) reply.header('idempotency-replayed', 'true');
  if (tag !== undefined) reply.header('etag', tag);
  if (isKnown) return reply.code(304).send();
  if (id !== undefined && !dryRun) reply.header('location', `${pathOf(request.url)}/${id}`);
  // Without an id, the body of a POST is all that the client learns.
  const minimal = preferences.minimal && (method === 'POST' ? id !== undefined : method !== 'GET');
  if (minimal) {
    const others = reply.getHeader('preference-applied');
    reply.header('preference-applied', others === undefined ? 'return=minimal' : `${others}, return=minimal`);
    return reply.code(method === 'POST' ? successOf(operation) : 204).send();
  }
  return reply.type('application/json; charset=utf-8').code(successOf(operation)).send(text);
}
