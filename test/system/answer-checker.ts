import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { Answer, CheckAnswer, Json } from './api.ts';

interface Documented {
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, { readonly responses: Json }>>;
}

/**
 * Compares responses with the document of the gateway: it must list the status, and the body must match its schema
 * without additional fields. With `$select` fields may be missing.
 */
export async function answerChecker(url: string): Promise<CheckAnswer> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const whole = validatorOf(closed(document, false));
  const partial = validatorOf(closed(document, true));
  const paths = documentedPaths(document);
  const entries = await entriesAt(url);
  return ({ method, path }, answer) => {
    const where = `${method} ${path} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`;
    expect(answer.headers['x-request-id'], where).toMatch(/^[\w.:-]{1,128}$/);
    if (method === 'HEAD' || method === 'OPTIONS') return;
    const [pathname = ''] = tidy(path).split('?');
    const responses = paths.find(({ pattern }) => pattern.test(pathname))?.operations[method.toLowerCase()]
      ?.responses;
    // Those of OAuth have the form of RFC 6749.
    if (answer.status >= 400 && !pathname.startsWith('/oauth2/')) checkError(whole, entries, answer, where);
    if (!responses) return;
    expect(Object.keys(responses), `The document does not list the status of ${where}`).toContain(
      String(answer.status),
    );
    if (answer.status >= 400) return;
    const response = responses[String(answer.status)] as {
      content?: { 'application/json': { schema: Json } };
    };
    const isMinimal = answer.headers['preference-applied']?.includes('return=minimal');
    if (!response.content || isMinimal) {
      expect(answer.body, where).toEqual({});
      return;
    }
    const { schema } = response.content['application/json'];
    const validate = (path.includes('select') ? partial : whole)(schema);
    expect(validate(answer.body) ? [] : validate.errors, where).toEqual([]);
  };
}

/** The addresses of the entries in the guide about error codes. */
async function entriesAt(url: string): Promise<ReadonlySet<string>> {
  const path = '/guides/error-codes';
  const page = await (await fetch(url + path)).text();
  return new Set([...page.matchAll(/ id="(\w+)"/g)].map(([, id]) => `${path}#${id}`));
}

const wordsOfZod = /Invalid (input|option|key|string)|Too (big|small)|Unrecognized key/;

function checkError(
  validatorFor: (schema: Json) => ValidateFunction,
  entries: ReadonlySet<string>,
  answer: Answer,
  where: string,
) {
  const standard = answer.headers['content-type']?.startsWith('application/problem+json');
  const validate = validatorFor({ $ref: `#/components/schemas/${standard ? 'Problem' : 'Error'}` });
  expect(validate(answer.body) ? [] : validate.errors, where).toEqual([]);
  const { name, message, code, status, className, reason, docs, errors, details, request_id } = answer.body;
  expect(standard ? status : code, where).toBe(answer.status);
  expect(request_id, where).toBe(answer.headers['x-request-id']);
  if (!standard) expect(className, where).toBe(kebab(String(name)));
  expect(docs, where).toMatch(new RegExp(`#${reason}$`));
  const { pathname, hash } = new URL(String(docs), 'http://gateway');
  expect([...entries], where).toContain(pathname + hash);
  if (details !== undefined) expect(Object.keys(details as Json), where).toEqual(Object.keys(errors as Json));
  expect(`${message} ${Object.values(errors as Json).join(' ')}`, where).not.toMatch(wordsOfZod);
}

const kebab = (name: string) => name.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

function documentedPaths(document: Json): Documented[] {
  const entries = Object.entries(document.paths as Readonly<Record<string, Documented['operations']>>);
  return entries.map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operations,
  }));
}

function tidy(path: string): string {
  return path.replace(/^[^?]*/, (pathname) => pathname.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1'));
}

/** Compiles each schema of a component once; those that are written where they are used have no references. */
function validatorOf(document: unknown): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('date-time-local', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
  ajv.addFormat('local-date-time', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  ajv.addFormat('hours-minutes-seconds', /^\d{2,}:[0-5]\d:[0-5]\d$/);
  ajv.addSchema({ $id: 'document', ...(document as Json) });
  return ({ $ref, ...schema }) =>
    $ref === undefined
      ? ajv.compile(schema)
      : (ajv.getSchema(`document${$ref}`) ?? ajv.compile({ $ref: `document${$ref}` }));
}

/** The document with all objects closed, so that a field that it does not list is an error. */
function closed(value: unknown, partial: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => closed(one, partial));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one, partial)]));
  const isObject = 'properties' in value && 'type' in value;
  if (!isObject) return inner;
  const { required, ...rest } = inner;
  return { additionalProperties: false, ...rest, ...(!partial && required !== undefined && { required }) };
}
