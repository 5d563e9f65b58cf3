import { type CallService, type Credential, deadlineIn, preferencesIn } from '@crm/client';
import type { Download, Upload } from '@crm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { workAhead } from './admit-ahead.ts';
import { type Admitting, admitAgain, admitRequest, credentialIn } from './admit-request.ts';
import { requestMs } from './backend.ts';
import { callInputOf } from './call-input.ts';
import { conditionsOf } from './conditions.ts';
import { takeDryRun } from './dry-run.ts';
import { type InputFields, inputFieldsOf } from './input-fields.ts';
import { objectIn } from './json-body.ts';
import type { RecordPlace } from './record-place.ts';
import { idempotencyKeyOf } from './request-headers.ts';
import { type Responding, respond } from './respond.ts';
import type { Route } from './routes.ts';
import { sendFile } from './send-file.ts';
import { fieldsIn } from './uploads/fields-in.ts';
import type { UploadedFile } from './uploads/open-upload.ts';
import { sendUpload } from './uploads/send-upload.ts';

interface Mounting extends Admitting {
  readonly placeOf: (route: Route) => RecordPlace | undefined;
}

type Values = Readonly<Record<string, unknown>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body of a DELETE is read. */
    readsBody?: boolean;
    /** Whether requests of the route are not counted. */
    isUnlimited?: boolean;
    /** Whether its body may take longer to arrive than others. */
    isSlow?: boolean;
  }
}

/** Mounts an operation as a route. Its input is not validated here, because the service does so for all callers. */
export function mount(app: FastifyInstance, route: Route, gateway: Mounting): void {
  const { method, path, operation } = route;
  const { upload, download } = operation;
  const caller = routeCaller(route, gateway);
  const handler = upload
    ? uploadHandler(upload, caller, gateway)
    : download
      ? downloadHandler(download, caller, gateway)
      : jsonHandler(caller);
  const config = { readsBody: caller.hasBody, isSlow: upload !== undefined };
  app.route({ method, url: path, config, onRequest: admitRequest(route, gateway, caller.hasBody), handler });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type RouteCaller = ReturnType<typeof routeCaller>;

/** How the requests of a route become calls of its service. */
function routeCaller(route: Route, gateway: Mounting) {
  const call = gateway.services[route.service];
  if (!call) throw new Error(`The gateway does not know how to call the service "${route.service}".`);
  const fieldsOf = atFirstUse(() => inputFieldsOf(route.operation));
  const hasBody = readsBody(route);
  const responding = { route, place: gateway.placeOf(route) };
  return {
    call,
    hasBody,
    responding,
    prepare: (request: FastifyRequest, reply: FastifyReply) => {
      const options = requestOptions(request, reply, responding);
      const send = callService(call, route, options, request);
      return { options, send, params: request.params as Values };
    },
    inputOf: (request: FastifyRequest, { options, params }: Prepared) => {
      const fields = fieldsOf();
      const body = hasBody ? bodyOf(request, route, fields) : {};
      return callInputOf(route, fields, { ...options, ...options.preferences, body, params });
    },
    partsOf: (file: UploadedFile, { options, params }: Prepared) =>
      callInputOf(route, fieldsOf(), uploadParts(options, file, params)),
  };
}

interface Prepared {
  readonly options: RequestOptions;
  readonly params: Values;
}

function jsonHandler({ prepare, inputOf, responding }: RouteCaller): Handler {
  return async (request, reply) => {
    const [options, answer] = await workAhead(credentialIn(request), async (credential) => {
      const prepared = prepare(request, reply);
      return [prepared.options, await prepared.send(inputOf(request, prepared), credential)] as const;
    });
    return respond(responding, options, answer, request, reply);
  };
}

function downloadHandler(
  download: Download,
  { prepare, inputOf, responding }: RouteCaller,
  gateway: Mounting,
): Handler {
  return async (request, reply) => {
    const prepared = prepare(request, reply);
    const input = inputOf(request, prepared);
    return sendFile(download, request, reply, async (more) => {
      const isFirst = more.cursor === undefined;
      // What the service trusts is valid for 30 seconds, and the token may be revoked between two parts.
      const { credential } = isFirst
        ? credentialIn(request)
        : await admitAgain(responding.route, gateway, request);
      return prepared.send({ ...input, ...more }, credential);
    });
  };
}

function uploadHandler(
  upload: Upload,
  { prepare, partsOf, responding, call }: RouteCaller,
  gateway: Mounting,
): Handler {
  const { service } = responding.route;
  return async (request, reply) => {
    const prepared = prepare(request, reply);
    const begin = (file: UploadedFile) =>
      prepared.send(partsOf(file, prepared), credentialIn(request).credential);
    const answer = await sendUpload({ ...gateway, call, service, upload, request }, begin);
    return respond(responding, prepared.options, answer, request, reply);
  };
}

/** An option that is misspelt must not be ignored: what it asks for is done to many records. */
function uploadParts({ query }: RequestOptions, { type, name, fields }: UploadedFile, params: Values) {
  const body = { type, ...(name !== undefined && query.name === undefined && { name }) };
  return { query: { ...query, ...fieldsIn(fields) }, body, params, strict: true };
}

/** A function that calls the operation of a route for a request. */
function callService(
  call: CallService,
  { procedure, method, operation }: Route,
  { conditions, dryRun, preferences }: RequestOptions,
  { id, raw }: FastifyRequest,
) {
  return (input: object, credential: Credential) =>
    call({
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
    });
}

type RequestOptions = ReturnType<typeof requestOptions>;

/** What a request asks for besides its operation. Throws BadRequest. */
function requestOptions({ opened, raw }: FastifyRequest, reply: FastifyReply, { route, place }: Responding) {
  const preferences = preferencesIn(raw.headers);
  if (preferences.strict) reply.header('preference-applied', 'handling=strict');
  const { dryRun, query } = takeDryRun(opened?.query ?? {}, route);
  if (dryRun) reply.header('dry-run', 'true');
  return { preferences, dryRun, query, conditions: conditionsOf(raw, route.method, place) };
}

function bodyOf({ body }: FastifyRequest, { method }: Route, fields: InputFields) {
  const isOptional = method === 'DELETE' || Object.keys(fields.body).length === 0;
  return isOptional && body === undefined ? {} : objectIn(body);
}

const readsBody = ({ method, operation: { query = [] } }: Route): boolean =>
  method === 'DELETE' ? query.length > 0 : method !== 'GET';

/** Of most routes nobody asks for anything soon, and a start would take a twentieth longer with all of their inputs. */
function atFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
