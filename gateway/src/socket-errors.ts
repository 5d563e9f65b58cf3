import type { Socket } from 'node:net';
import { requestIdOf } from '@crm/client';
import { invalid, type Refused } from '@crm/contract';
import { problemAnswer, uriTooLong } from './problem.ts';

/** Responds, if the socket still can, to what never became a request: garbage, headers that are too long, a slow client. */
export function answerSocketError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf(undefined);
  const { status, headers, text } = problemAnswer(refusalOf(error.code), {
    requestId,
    accept: undefined,
    hasToken: false,
  });
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}

function refusalOf(code: string | undefined): Refused {
  if (code === 'HPE_HEADER_OVERFLOW') return uriTooLong({ message: 'The URL or the headers are too long.' });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return invalid({ message: 'The request took too long to arrive.' });
  return invalid({ message: 'The request is not valid HTTP.' });
}
