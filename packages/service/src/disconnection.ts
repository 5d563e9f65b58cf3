import type { ServerResponse } from 'node:http';

/**
 * Is aborted when the client disconnects before it has the whole response. The signal of Fastify is of no use for this: it is
 * aborted when the body of the request has been read.
 */
export function disconnectionOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  const leave = () => {
    if (!response.writableFinished) leaving.abort();
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return leaving.signal;
}
