import { isUtf8 } from 'node:buffer';
import { deadlineIn } from '@crm/client';
import {
  errorFormOf,
  Refused,
  requestLimits,
  unsupportedMediaType,
  type WebAnswer,
  type WebRequest,
  webHeaders,
} from '@crm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Backend, requestMs } from './backend.ts';
import { bodyInParts } from './body-in-parts.ts';
import { decodeUtf8 } from './json-body.ts';
import { queryOf } from './paths.ts';
import { isEncoded } from './request-headers.ts';
import type { Route } from './routes.ts';
import { leaveBodies } from './uploads/leave-bodies.ts';
import { openUpload, type UploadedFile } from './uploads/open-upload.ts';
import { sendParts } from './uploads/send-upload.ts';

/** Pages, forms and callbacks are small. */
const maxBodyBytes = requestLimits.webBodyKiB * 1024;

type WebBackend = Pick<Backend, 'services' | 'asGateway'>;

/** Mounts operations that read the raw request and write the raw response; both are passed on unchanged. */
export function mountWeb(app: FastifyInstance, routes: readonly Route[], backend: WebBackend) {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async ({ routeOptions }: FastifyRequest, bytes: Buffer) =>
        routeOptions.config.isMail ? decodeMail(bytes) : decodeUtf8(bytes),
    );
    for (const route of routes.filter(({ operation }) => !operation.upload)) mountOne(scope, route, backend);
  });
  app.register(async (scope) => {
    leaveBodies(scope);
    for (const route of routes.filter(({ operation }) => operation.upload)) mountOne(scope, route, backend);
  });
}

function mountOne(app: FastifyInstance, route: Route, backend: WebBackend) {
  const { service, procedure, method, path, operation } = route;
  const call = backend.services[service];
  if (!call) throw new Error(`The gateway does not know how to call the service "${service}".`);
  const onRequest = async ({ raw }: FastifyRequest) => {
    if (isEncoded(raw)) throw unsupportedMediaType();
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const file = operation.upload && (await openUpload(request.raw, operation.upload, maxBodyBytes));
    const input = { ...webRequestOf(request), ...(file && formWith(file, request)) };
    const ask = async (cursor?: string) => {
      const { text } = await call({
        procedure,
        input: { ...input, ...(cursor !== undefined && { cursor }) },
        credential: await backend.asGateway(service, request.id),
        requestId: request.id,
        deadline: deadlineIn(requestMs),
      });
      return JSON.parse(text) as WebAnswer;
    };
    const first = await ask();
    if (file && operation.upload && first.id !== undefined) {
      const sending = { ...backend, call, service, upload: operation.upload, request };
      // The response leads to a page that shows what is wrong with the file.
      await sendParts(sending, first.id, file).catch((error: unknown) => {
        if (!(error instanceof Refused) || error.name === 'Unavailable') throw error;
      });
    }
    // The operation itself decides what other origins may read.
    reply.removeHeader('access-control-allow-origin').code(first.status).headers(first.headers);
    if (first.next === undefined) return reply.send(first.body);
    return reply.send(bodyInParts(request, bodiesOf(first, ask)));
  };
  const config = {
    isSlow: operation.upload !== undefined,
    isMail: operation.web?.isMail ?? false,
    errorForm: errorFormOf(operation),
  };
  app.route({ method, url: path, bodyLimit: maxBodyBytes, config, onRequest, handler });
}

/** Everything that programs read in an e-mail is ASCII, so the charset of the rest does not matter. */
const decodeMail = (bytes: Buffer) => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');

/** The bodies of a response in parts, each requested after the client has received the previous one. */
async function* bodiesOf(
  first: WebAnswer,
  ask: (cursor: string) => Promise<WebAnswer>,
): AsyncGenerator<Buffer> {
  let part = first;
  for (;;) {
    yield Buffer.from(part.body);
    if (part.next === undefined) return;
    part = await ask(part.next);
    if (part.status !== first.status) throw new Error('The response has changed between two of its parts.');
  }
}

/** The fields of a file's form, with the type and name of the file added. */
function formWith({ fields, type, name = '' }: UploadedFile, { raw }: FastifyRequest): Partial<WebRequest> {
  const form = new URLSearchParams(fields);
  form.set('type', type);
  form.set('name', name);
  const headers = { ...headersOf(raw.headers), 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: form.toString() };
}

const headersOf = (headers: FastifyRequest['raw']['headers']): WebRequest['headers'] =>
  Object.fromEntries(
    webHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );

function webRequestOf({ raw, url, params, body, ip }: FastifyRequest): WebRequest {
  return {
    params: params as Record<string, string>,
    query: queryOf(url),
    headers: headersOf(raw.headers),
    body: typeof body === 'string' ? body : '',
    address: ip,
  };
}
