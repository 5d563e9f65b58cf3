import { pathParameters } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes, webRoutes } from '../routes.ts';
import { openApiDocument } from './document.ts';

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument([...routes, ...webRoutes]);
const { components = {}, paths = {}, tags = [] } = document;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item as Readonly<Record<string, oas31.OperationObject>>).map(([method, operation]) => ({
    where: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** Follows a reference within the document. */
function resolved(value: unknown): Json {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as Json;
  const parts = $ref.slice(2).split('/');
  return resolved(parts.reduce<unknown>((at, part) => (at as Json)[part], document));
}

/** The paths of fields without a description, at any depth. */
function undescribed(value: unknown, where: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as { readonly properties?: Json };
  const own = Object.entries(properties).filter(
    ([, field]) => !('$ref' in (field as Json)) && !isText((field as Json).description),
  );
  const inner = Object.entries(value).flatMap(([key, one]) => undescribed(one, `${where}.${key}`));
  return [...own.map(([name]) => `${where}: ${name}`), ...inner];
}

const isText = (value: unknown) => typeof value === 'string' && /^\S.*[.)]$/s.test(value);

describe('the document', () => {
  it('describes every operation, parameter, header, response and resource in sentences', () => {
    const missing = operations.flatMap(({ where, operation }) => [
      ...(isText(operation.description) ? [] : [where]),
      ...(operation.parameters ?? [])
        .map(resolved)
        .filter(({ description }) => !isText(description))
        .map(({ name }) => `${where}: ${name}`),
      ...Object.entries((operation.responses ?? {}) as Json)
        .filter(([, response]) => !isText(resolved(response).description))
        .map(([status]) => `${where}: ${status}`),
    ]);
    const headers = Object.entries(components.headers ?? {}).filter(
      ([, one]) => !isText(resolved(one).description),
    );
    expect([...missing, ...headers.map(([name]) => name)]).toEqual([]);
    expect(
      tags.filter(({ description }) => !isText(`${description?.slice(2)}`)).map(({ name }) => name),
    ).toEqual([]);
  });

  it('describes every field in sentences', () => {
    expect(
      Object.entries(components.schemas ?? {}).flatMap(([name, schema]) => undescribed(schema, name)),
    ).toEqual([]);
  });

  it('has an example of every body', () => {
    const missing = operations.flatMap(({ where, operation }) => {
      const answers = Object.entries((operation.responses ?? {}) as Json).map(
        ([status, one]) => [status, resolved(one)] as const,
      );
      const bodies = [['body', resolved(operation.requestBody ?? {})] as const, ...answers];
      return bodies.flatMap(([part, { content }]) =>
        Object.entries((content ?? {}) as Readonly<Record<string, oas31.MediaTypeObject>>)
          .filter(
            ([type, { example, examples }]) =>
              type.endsWith('json') && example === undefined && examples === undefined,
          )
          .map(([type]) => `${where}: ${part} as ${type}`),
      );
    });
    expect(missing).toEqual([]);
  });

  it('has examples with their own values for every text', () => {
    const inline = Object.entries(paths);
    const dull = [...Object.entries(components.examples ?? {}), ...inline].filter(([, example]) =>
      /[:[]"text"/.test(JSON.stringify(example)),
    );
    expect(dull.map(([name]) => name)).toEqual([]);
  });

  it('shows requests that pass validation', () => {
    const refused = routes.flatMap(({ method, path, procedure, operation }) => {
      const documented = operations.find(({ operation: { operationId } }) => operationId === procedure);
      const body = resolved(documented?.operation.requestBody ?? {}) as Partial<oas31.RequestBodyObject>;
      const example = body.content?.['application/json']?.examples?.typical;
      if (!example) return [];
      const { value } = resolved(example) as { readonly value?: Json };
      const ids = Object.fromEntries(pathParameters(path).map((name) => [name, 4201]));
      const { error } = operation.input.safeParse({ ...value, ...ids });
      return error ? [`${method} ${path} ${JSON.stringify(value)}: ${z.prettifyError(error)}`] : [];
    });
    expect(refused).toEqual([]);
  });

  it('has a parameter for the operators of every kind of field', () => {
    const of = (operationId: string) =>
      operations
        .find(({ operation }) => operation.operationId === operationId)
        ?.operation.parameters?.map((one) => String(resolved(one).name));
    expect(of('contacts.find')).toEqual(
      expect.arrayContaining([
        ...['email', 'email[$ne]', 'email[$in]', 'email[$like]', 'modified_at[$gte]', 'modified_at[$lt]'],
        ...['hotness_id[$in]', 'id[$gt]', '$sort', '$select'],
      ]),
    );
    expect(of('teamMembers.find')).toEqual(expect.arrayContaining(['request_status[$ne]', 'team.id[$in]']));
    expect(of('teams.find')).toContain('is_contact_resource_sharing_enabled[$ne]');
  });

  it('has one body for all errors, with a message', () => {
    const { Error: plain, Problem: standard } = components.schemas as Readonly<
      Record<string, oas31.SchemaObject>
    >;
    expect(plain?.required).toContain('message');
    expect(standard?.properties).toMatchObject(plain?.properties ?? { none: true });
    expect(standard?.required).toEqual(expect.arrayContaining(plain?.required ?? ['none']));
  });
});
