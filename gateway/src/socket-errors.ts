import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from '@crm/client';
import { malformedRequest, type Refused, urlTooLong } from '@crm/contract';
import { problemAnswer } from './problem.ts';

/**
 * Responds, if the socket is still writable, to input that never became a request: garbage, too long headers, or a slow client.
 */
export function answerSocketError(
  error: Error & { code?: string },
  socket: Socket,
  publicUrl: string | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasRequestBefore(socket)) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf(undefined);
  const { status, headers, text } = problemAnswer(refusalOf(error.code), {
    requestId,
    accept: undefined,
    hasToken: false,
    publicUrl,
  });
  const lines = Object.entries({
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}

/**
 * Anything written now would become part of the response to that request, or be mistaken for it. Node itself uses this
 * undocumented property.
 */
function hasRequestBefore(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  const response = socket._httpMessage;
  return response != null && (response.headersSent || response.req.complete);
}

function refusalOf(code: string | undefined): Refused {
  if (code === 'HPE_HEADER_OVERFLOW') return urlTooLong({ message: 'The URL or the headers are too long.' });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return malformedRequest({ message: 'The request took too long to arrive.' });
  return malformedRequest({ message: 'The request is not valid HTTP.' });
}
