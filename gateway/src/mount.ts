import { type Caller, type Credential, deadlineIn } from '@crm/client';
import type { Download, Upload } from '@crm/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { workAhead } from './admit-ahead.ts';
import { requestMs } from './backend.ts';
import { callInputOf } from './call-input.ts';
import { conditionsOf } from './conditions.ts';
import { takeDryRun } from './dry-run.ts';
import { type InputFields, inputFieldsOf } from './input-fields.ts';
import { objectIn } from './json-body.ts';
import { type Admitting, admittedAgain, admittedIn, opening } from './open-requests.ts';
import type { RecordPlace } from './record-routes.ts';
import { idempotencyKeyOf, preferencesOf } from './request-headers.ts';
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
  const reader = readerOf(route, gateway);
  const handler = upload
    ? takesFile(upload, reader, gateway)
    : download
      ? givesFile(download, reader, gateway)
      : answers(reader);
  const config = { readsBody: reader.hasBody, isSlow: upload !== undefined };
  app.route({ method, url: path, config, onRequest: opening(route, gateway, reader.hasBody), handler });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
type Reader = ReturnType<typeof readerOf>;

/** How the requests of a route become calls of its service. */
function readerOf(route: Route, gateway: Mounting) {
  const call = gateway.callers[route.service];
  if (!call) throw new Error(`The service "${route.service}" has no caller.`);
  const fieldsOf = atFirstUse(() => inputFieldsOf(route.operation));
  const hasBody = readsBody(route);
  const responding = { route, place: gateway.placeOf(route) };
  return {
    call,
    hasBody,
    responding,
    read: (request: FastifyRequest, reply: FastifyReply) => {
      const asked = askedOf(request, reply, responding);
      return { asked, ask: asking(call, route, asked, request), params: request.params as Values };
    },
    inputOf: (request: FastifyRequest, { asked, params }: Sent) => {
      const fields = fieldsOf();
      const body = hasBody ? bodyOf(request, route, fields) : {};
      return callInputOf(route, fields, { ...asked, ...asked.preferences, body, params });
    },
    partsOf: (file: UploadedFile, { asked, params }: Sent) =>
      callInputOf(route, fieldsOf(), uploadParts(asked, file, params)),
  };
}

interface Sent {
  readonly asked: ReturnType<typeof askedOf>;
  readonly params: Values;
}

function answers({ read, inputOf, responding }: Reader): Handler {
  return async (request, reply) => {
    const [asked, answer] = await workAhead(admittedIn(request), async (credential) => {
      const sent = read(request, reply);
      return [sent.asked, await sent.ask(inputOf(request, sent), credential)] as const;
    });
    return respond(responding, asked, answer, request, reply);
  };
}

function givesFile(download: Download, { read, inputOf, responding }: Reader, gateway: Mounting): Handler {
  return async (request, reply) => {
    const sent = read(request, reply);
    const input = inputOf(request, sent);
    return sendFile(download, request, reply, async (more) => {
      const isFirst = more.cursor === undefined;
      // What the service trusts is valid for 30 seconds, and the token may be revoked between two parts.
      const { credential } = isFirst
        ? admittedIn(request)
        : await admittedAgain(responding.route, gateway, request);
      return sent.ask({ ...input, ...more }, credential);
    });
  };
}

function takesFile(upload: Upload, { read, partsOf, responding, call }: Reader, gateway: Mounting): Handler {
  const { service } = responding.route;
  return async (request, reply) => {
    const sent = read(request, reply);
    const begin = (file: UploadedFile) => sent.ask(partsOf(file, sent), admittedIn(request).credential);
    const answer = await sendUpload({ ...gateway, call, service, upload, request }, begin);
    return respond(responding, sent.asked, answer, request, reply);
  };
}

/** An option that is misspelt must not be ignored: what it asks for is done to many records. */
function uploadParts(
  { query }: ReturnType<typeof askedOf>,
  { type, name, fields }: UploadedFile,
  params: Values,
) {
  const body = { type, ...(name !== undefined && query.name === undefined && { name }) };
  return { query: { ...query, ...fieldsIn(fields) }, body, params, strict: true };
}

/** Calls the operation of a route for a request. */
function asking(
  call: Caller,
  { procedure, method, operation }: Route,
  { conditions, dryRun, preferences }: ReturnType<typeof askedOf>,
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

/** What a request asks for besides its operation. Throws BadRequest. */
function askedOf({ opened, raw }: FastifyRequest, reply: FastifyReply, { route, place }: Responding) {
  const preferences = preferencesOf(raw);
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
