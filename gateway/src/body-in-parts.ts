import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/**
 * A body that is made part by part, each when the client has taken the one before. If one fails, the status has been sent, so
 * the connection breaks off. In HTTP/1.0, which nginx speaks unless it is told otherwise, the end of the connection is that of
 * the body: there it is reset, which nobody takes for an end.
 */
export function bodyInParts({ method, raw }: FastifyRequest, parts: AsyncIterable<Buffer>): Readable {
  return Readable.from(method === 'HEAD' ? [] : brokenOff(raw, parts));
}

async function* brokenOff({ httpVersion, socket }: FastifyRequest['raw'], parts: AsyncIterable<Buffer>) {
  try {
    yield* parts;
  } catch (error) {
    if (httpVersion === '1.0') socket.resetAndDestroy();
    throw error;
  }
}
