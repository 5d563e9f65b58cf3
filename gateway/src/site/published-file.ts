import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RouteHandlerMethod } from 'fastify';

const compress = promisify(gzip);

interface Publication {
  readonly type: string;
  /** What a page may load; by default nothing. */
  readonly policy?: string;
  readonly content: () => string | Promise<string>;
}

/**
 * Sends a public text, compressed for clients that accept it, and only if it has changed. It is prepared at the first request, so
 * that the start is not delayed.
 */
export function publishedFile({ type, policy, content }: Publication): RouteHandlerMethod {
  let prepared: ReturnType<typeof prepare> | undefined;
  return async (request, reply) => {
    prepared ??= prepare(content);
    const { plain, compressed, etag } = await prepared;
    reply.headers({ 'content-type': type, 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
    if (policy) reply.header('content-security-policy', policy);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(plain);
    return reply.header('content-encoding', 'gzip').send(compressed);
  };
}

async function prepare(content: Publication['content']) {
  const plain = Buffer.from(await content());
  // Weak, because both encodings have the same one.
  const etag = `W/"${hash('sha256', plain, 'base64url')}"`;
  return { plain, compressed: await compress(plain), etag };
}
