import { type CallService, type Credential, deadlineIn } from '@crm/client';
import { type Download, type ErrorForm, isRecord, type Operation, type Upload } from '@crm/contract';
import { readFormText } from '@crm/query';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { workAhead } from './admit-ahead.ts';
import { type Admitting, admitAgain, admitRequest, credentialIn } from './admit-request.ts';
import { requestMs } from './backend.ts';
import { callInputOf } from './call-input.ts';
import { type InputFields, inputFieldsOf } from './input-fields.ts';
import { isForm, objectIn, withLists } from './json-body.ts';
import type { PlacedRoute, RecordPlace } from './record-place.ts';
import { idempotencyKeyOf } from './request-headers.ts';
import { type RequestOptions, requestOptions } from './request-options.ts';
import { respond } from './respond.ts';
import type { Route } from './routes.ts';
import { sendFile } from './send-file.ts';
import type { UploadedFile } from './uploads/open-upload.ts';
import { sendUpload } from './uploads/send-upload.ts';

export interface Mounting extends Admitting {
  readonly placeOf: (route: Route) => RecordPlace | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body of a DELETE has to be valid. */
    readsBody?: boolean;
    /** Whether requests of the route are exempt from the limits. */
    isUnlimited?: boolean;
    /** Whether its body may take longer to arrive than others. */
    isSlow?: boolean;
    /** Whether its body is an e-mail. */
    isMail?: boolean;
    /** The form of its errors, unless it is that of the JSON API. */
    errorForm?: ErrorForm | undefined;
  }
}

/** A route with what is needed to turn its requests into calls of its service. */
interface MountedRoute extends PlacedRoute {
  readonly call: CallService;
  readonly fields: () => InputFields;
  readonly hasBody: boolean;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Mounts an operation as a route. Its input is not validated here, because the service does so for all callers. */
export function mount(app: FastifyInstance, route: Route, gateway: Mounting): void {
  const { method, path, operation } = route;
  const { upload, download } = operation;
  const call = gateway.services[route.service];
  if (!call) throw new Error(`The gateway does not know how to call the service "${route.service}".`);
  const fields = fieldsAtFirstUse(operation);
  const hasBody = readsBody(route);
  const mounted: MountedRoute = { route, call, place: gateway.placeOf(route), fields, hasBody };
  const handler = upload
    ? uploadHandler(upload, mounted, gateway)
    : download
      ? downloadHandler(download, mounted, gateway)
      : jsonHandler(mounted);
  const config = { readsBody: hasBody, isSlow: upload !== undefined };
  app.route({ method, url: path, config, onRequest: admitRequest(route, gateway, hasBody), handler });
}

function jsonHandler(mounted: MountedRoute): Handler {
  return async (request, reply) => {
    const [options, answer] = await workAhead(credentialIn(request), async (credential) => {
      const options = requestOptions(mounted, request, reply, sentIn(mounted, request));
      const input = inputOf(mounted, request, options);
      return [options, await callRoute(mounted, request, options, input, credential)] as const;
    });
    return respond(mounted, options, answer, request, reply);
  };
}

function downloadHandler(download: Download, mounted: MountedRoute, gateway: Mounting): Handler {
  return async (request, reply) => {
    const options = requestOptions(mounted, request, reply);
    const input = inputOf(mounted, request, options);
    return sendFile(download, request, reply, async (part) => {
      const isFirst = part.cursor === undefined;
      // The credential for the service is valid for 30 seconds, and the token may be revoked between two parts.
      const { credential } = isFirst
        ? credentialIn(request)
        : await admitAgain(mounted.route, gateway, request);
      return callRoute(mounted, request, options, { ...input, ...part }, credential);
    });
  };
}

function uploadHandler(upload: Upload, mounted: MountedRoute, gateway: Mounting): Handler {
  const { call, route } = mounted;
  return async (request, reply) => {
    const options = requestOptions(mounted, request, reply);
    const begin = (file: UploadedFile) => {
      const input = inputOfFile(mounted, request, options, file);
      return callRoute(mounted, request, options, input, credentialIn(request).credential);
    };
    const sending = { ...gateway, call, service: route.service, upload, request };
    return respond(mounted, options, await sendUpload(sending, begin), request, reply);
  };
}

function callRoute(
  { call, route: { procedure, method, operation } }: MountedRoute,
  { id, raw }: FastifyRequest,
  { conditions, dryRun, preferences, signal }: RequestOptions,
  input: object,
  credential: Credential,
) {
  return call({
    procedure,
    input,
    credential,
    requestId: id,
    idempotencyKey: method === 'GET' ? undefined : idempotencyKeyOf(raw),
    ifMatch: conditions.ifMatch,
    dryRun,
    strict: preferences.strict,
    mayRepeat: operation.kind === 'query',
    deadline: deadlineIn(requestMs),
    signal,
  });
}

function inputOf({ route, fields, hasBody }: MountedRoute, request: FastifyRequest, options: RequestOptions) {
  const { query, body, preferences } = options;
  const parts = { query, body: hasBody ? body : {}, params: paramsOf(request), strict: preferences.strict };
  return callInputOf(route, fields(), parts);
}

/** The body as an object. Of a DELETE without parameters, any body is accepted and only searched for `dry_run`. */
function sentIn({ route, fields, hasBody }: MountedRoute, request: FastifyRequest) {
  if (hasBody) return bodyOf(request, route, fields());
  return isRecord(request.body) ? request.body : {};
}

/** A misspelled option must not be ignored, because it affects many records. */
function inputOfFile(
  { route, fields }: MountedRoute,
  request: FastifyRequest,
  { query }: RequestOptions,
  file: UploadedFile,
) {
  const { type, name } = file;
  const body = { type, ...(name !== undefined && query.name === undefined && { name }) };
  const parts = {
    query: { ...query, ...readFormText(file.fields.toString()) },
    body,
    params: paramsOf(request),
  };
  return callInputOf(route, fields(), { ...parts, strict: true });
}

const paramsOf = ({ params }: FastifyRequest) => params as Readonly<Record<string, unknown>>;

/** Existing clients send a PATCH without a body and need the record. A POST without one would add an empty record. */
function bodyOf({ body, headers }: FastifyRequest, { method }: Route, fields: InputFields) {
  const isOptional = method === 'DELETE' || method === 'PATCH' || Object.keys(fields.body).length === 0;
  if (isOptional && body === undefined) return {};
  const values = objectIn(body);
  return isForm(headers) ? withLists(values, fields) : values;
}

const readsBody = ({ method, operation: { query = [] } }: Route): boolean =>
  method === 'DELETE' ? query.length > 0 : method !== 'GET';

/** Most routes are not used soon, and computing all their inputs would slow down the start by a twentieth. */
function fieldsAtFirstUse(operation: Operation): () => InputFields {
  let fields: InputFields | undefined;
  return () => {
    fields ??= inputFieldsOf(operation);
    return fields;
  };
}
