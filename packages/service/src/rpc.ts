import { callHeaders } from '@crm/client';
import { invalid, notFound, Refused, statuses } from '@crm/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalIn } from './faults.ts';
import { problemOf } from './idempotency.ts';
import type { Logger } from './log.ts';
import { authenticatedEnvelopeOf, authenticateFirst, isOpenTo, type Transports } from './transports.ts';

/** Services send each other larger requests than clients may: everything that a campaign sends, with its texts. */
const maxBodyBytes = 32 * 1024 * 1024;

/** What anyone may send without a credential: a form or a callback that the gateway passes on, as JSON. */
const maxOpenBodyBytes = 512 * 1024;

/**
 * The transport for the gateway and between services: the same calls, with JSON text in and out. The caller is
 * authenticated before the body is read, so that nobody else can make the service read and parse a large one.
 */
export function mountRpc(app: FastifyInstance, transports: Transports) {
  for (const procedure of transports.procedures.values()) {
    const isOpen = isOpenTo(procedure);
    app.post(
      `/rpc/${procedure.name}`,
      {
        bodyLimit: isOpen ? maxOpenBodyBytes : maxBodyBytes,
        onRequest: isOpen ? [] : async (request) => authenticateFirst(request, transports),
        errorHandler: (error, request, reply) => refuseUnread(error, request, reply, transports.log),
      },
      (request, reply) => answerCall(procedure.name, transports, request, reply),
    );
  }
  app.post('/rpc/:procedure', { onRequest: refuseUnknown }, async () => undefined);
}

async function refuseUnknown(_request: FastifyRequest, reply: FastifyReply) {
  const refused = notFound({ message: 'Unknown procedure.' });
  return reply.code(statuses[refused.name]).send(problemOf(refused));
}

async function answerCall(
  procedure: string,
  { call, log }: Transports,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const envelope = authenticatedEnvelopeOf(request);
  reply.type('application/json').header(callHeaders.requestId, envelope.requestId);
  try {
    const input = request.body ?? {};
    const { text, replayed } = await call({ ...envelope, procedure, input });
    if (replayed) reply.header(callHeaders.replayed, 'true');
    return reply.send(text);
  } catch (error) {
    const refused = refusalIn(error);
    if (!refused) log.error({ err: error, procedure, requestId: envelope.requestId }, 'fault');
    const answer = refused ?? new Refused({ name: 'GeneralError', message: 'Something went wrong.' });
    if (answer.replayed) reply.header(callHeaders.replayed, 'true');
    return reply.code(statuses[answer.name]).send(JSON.stringify(problemOf(answer)));
  }
}

/**
 * Without a valid credential, or if Fastify could not read it, a request is refused like any other, with the usual error
 * body.
 */
function refuseUnread(error: FastifyError, { id }: FastifyRequest, reply: FastifyReply, log: Logger) {
  const known = refusalIn(error);
  const isFault = !known && (error.statusCode ?? 500) >= 500;
  if (isFault) log.error({ err: error, requestId: id }, 'fault');
  const refused = isFault
    ? new Refused({ name: 'GeneralError', message: 'Something went wrong.' })
    : (known ?? invalid({ message: 'The request could not be read.' }));
  return reply.code(statuses[refused.name]).send(JSON.stringify(problemOf(refused)));
}
