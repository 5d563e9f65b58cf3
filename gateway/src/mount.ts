import { type Caller, type Credential, deadlineIn } from '@crm/client';
import { tokenMissing, unsupportedMediaType, urlTooLong, wrong } from '@crm/contract';
import { maxQueryLength, readQueryString } from '@crm/query';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Backend, requestMs } from './backend.ts';
import { callInputOf } from './call-input.ts';
import { conditionsOf } from './conditions.ts';
import { takeDryRun } from './dry-run.ts';
import { type InputFields, inputFieldsOf } from './input-fields.ts';
import { objectIn } from './json-body.ts';
import type { RequestLimits } from './limit-requests.ts';
import { queryOf } from './paths.ts';
import type { RecordPlace } from './record-routes.ts';
import { bearerToken, idempotencyKeyOf, isEncoded, preferencesOf } from './request-headers.ts';
import { type Responding, respond } from './respond.ts';
import type { Route } from './routes.ts';
import { sendFile } from './send-file.ts';
import { fieldsIn } from './uploads/fields-in.ts';
import type { UploadedFile } from './uploads/open-upload.ts';
import { sendUpload } from './uploads/send-upload.ts';

interface Limited extends Backend {
  readonly limits: RequestLimits | undefined;
  readonly placeOf: (route: Route) => RecordPlace | undefined;
}

/** What is known about a request before its body is read. */
interface Admitted {
  readonly query: Readonly<Record<string, unknown>>;
  readonly credential: Credential;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | null;
  }
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
export function mount(app: FastifyInstance, route: Route, gateway: Limited): void {
  const { service, method, path, operation } = route;
  const call = gateway.callers[service];
  if (!call) throw new Error(`The service "${service}" has no caller.`);
  const fieldsOf = atFirstUse(() => inputFieldsOf(operation));
  const place = gateway.placeOf(route);
  const hasBody = readsBody(route);

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const asked = askedOf(request, reply, { route, place });
    const params = request.params as Record<string, string>;
    const ask = asking(call, route, asked, request);
    if (operation.upload) {
      const sending = { ...gateway, call, service, upload: operation.upload, request };
      const begin = (file: UploadedFile) =>
        ask(callInputOf(route, fieldsOf(), uploadParts(asked, file, params)));
      return respond({ route, place }, asked, await sendUpload(sending, begin), request, reply);
    }
    const fields = fieldsOf();
    const body = hasBody ? bodyOf(request, route, fields) : {};
    const parts = { ...asked, ...asked.preferences, body, params };
    const input = callInputOf(route, fields, parts);
    if (operation.download) {
      const again = () => admittedAgain(route, gateway, request);
      return sendFile(operation.download, request, reply, async (more) =>
        // What the service trusts is valid for 30 seconds, and the token may be revoked between two parts.
        ask({ ...input, ...more }, more.cursor === undefined ? undefined : await again()),
      );
    }
    return respond({ route, place }, asked, await ask(input), request, reply);
  };

  const config = { readsBody: hasBody, isSlow: operation.upload !== undefined };
  app.route({ method, url: path, config, onRequest: admitting(route, gateway, hasBody), handler });
}

/** Runs before the body is read, so that an unauthenticated client cannot make us read one. */
function admitting({ service, operation }: Route, gateway: Limited, hasBody: boolean) {
  const admitted = admission(service, gateway);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const query = readQuery(request.url);
    const token = bearerToken(request.raw);
    if (token === undefined && operation.for !== 'anyone') throw tokenMissing();
    const credential = token === undefined ? undefined : await admitted(token, request, reply);
    if (hasBody && isEncoded(request.raw)) throw unsupportedMediaType();
    request.admitted = { query, credential };
  };
}

/** An option that is misspelt must not be ignored: what it asks for is done to many records. */
function uploadParts(
  { query }: ReturnType<typeof askedOf>,
  { type, name, fields }: UploadedFile,
  params: Record<string, string>,
) {
  const body = { type, ...(name !== undefined && query.name === undefined && { name }) };
  return { query: { ...query, ...fieldsIn(fields) }, body, params, strict: true };
}

/** Admits a token to a service unless it has used up its requests. Throws NotAuthenticated and TooManyRequests. */
function admission(service: string, { admit, limits }: Limited) {
  return async (token: string, { id, ip }: FastifyRequest, reply: FastifyReply): Promise<Credential> => {
    await limits?.demandLeft(token, reply);
    const { credential, account } = await admit(token, service, { requestId: id, address: ip });
    await limits?.countToken(token, account, reply);
    return credential;
  };
}

/** Calls the operation of a route for a request, with what the request was admitted with or another credential. */
function asking(
  call: Caller,
  { procedure, method, operation }: Route,
  { conditions, dryRun, preferences }: ReturnType<typeof askedOf>,
  { admitted, id, raw }: FastifyRequest,
) {
  return (input: object, credential = admitted?.credential) =>
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

/** Exchanges the token of a request once more. It was counted before. */
async function admittedAgain({ service }: Route, { admit }: Limited, { raw, id, ip }: FastifyRequest) {
  const { credential } = await admit(bearerToken(raw) ?? '', service, { requestId: id, address: ip });
  return credential;
}

/** What a request asks for besides its operation. Throws BadRequest. */
function askedOf({ admitted, raw }: FastifyRequest, reply: FastifyReply, { route, place }: Responding) {
  const preferences = preferencesOf(raw);
  if (preferences.strict) reply.header('preference-applied', 'handling=strict');
  const { dryRun, query } = takeDryRun(admitted?.query ?? {}, route);
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

/** Throws BadRequest and UriTooLong. A token in a URL ends up in logs and histories, so it is never accepted (RFC 6750 §2.3). */
function readQuery(url: string): Readonly<Record<string, unknown>> {
  const text = queryOf(url);
  if (text.length > maxQueryLength) throw urlTooLong();
  const query = readQueryString(text);
  if (!Object.hasOwn(query, 'access_token')) return query;
  throw wrong('access_token', 'must be sent in the Authorization header, not in the URL');
}
