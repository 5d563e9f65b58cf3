import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/**
 * A body made in parts, each after the client has received the previous one. If a part fails, the status has already been sent,
 * so the connection is broken. In HTTP/1.0, which nginx uses by default, the end of the connection is the end of the body: there
 * the connection is reset, so that nobody takes the body for complete.
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
