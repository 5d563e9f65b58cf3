import type { Upload } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import type { InputFields } from '../input-fields.ts';
import { tidy } from './json-schema.ts';

/** The request body with a file: the file itself, or a form that contains it. */
export function uploadBody(
  { types, maxBytes }: Upload,
  { query, schemas }: InputFields,
): oas31.RequestBodyObject {
  const file = { type: 'string', description: 'The file, as the last part of the form.' } as const;
  const options = Object.fromEntries(query.map((name) => [name, schemas[name] ?? {}]));
  const form = tidy({ type: 'object', properties: { ...options, file }, required: ['file'] });
  return {
    required: true,
    description: `At most ${maxBytes / 1024 / 1024} MB, in UTF-8.`,
    content: {
      ...Object.fromEntries(
        types.map((type) => [type, { schema: { type: 'string' }, example: exampleOf(type) }]),
      ),
      'multipart/form-data': { schema: form, example: { file: exampleOf(types[0]) } },
    },
  };
}

const exampleOf = (type: string): string =>
  type.includes('json')
    ? '{"first_name":"Ada"}\n{"first_name":"Grace"}\n'
    : 'first_name,email\nAda,ada@example.com\n';
