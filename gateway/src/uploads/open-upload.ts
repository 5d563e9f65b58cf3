import type { IncomingMessage } from 'node:http';
import { invalidField, malformedBody, type Upload, unsupportedMediaType } from '@crm/contract';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { textParts } from './text-parts.ts';

/** A file that a request brings, read no faster than it is consumed. */
export interface UploadedFile {
  readonly type: string;
  readonly name: string | undefined;
  /** The fields of the form before the file, as pairs. */
  readonly fields: readonly (readonly [string, string])[];
  readonly parts: AsyncIterable<string>;
}

/** Finds the file of a request: its body, or the file of a form. Throws BadRequest and UnsupportedMediaType. */
export async function openUpload(request: IncomingMessage, upload: Upload): Promise<UploadedFile> {
  const type = mediaType(request.headers['content-type']);
  if (type === 'multipart/form-data') return fileOfForm(request, upload);
  if (!upload.types.includes(type))
    throw unsupportedMediaType({
      message: `The body must be the file as ${upload.types.join(' or ')}, or a form (multipart/form-data) with it.`,
    });
  return { type, name: undefined, fields: [], parts: textParts(request, upload.maxBytes) };
}

const mediaType = (header = ''): string => header.split(';')[0]?.trim().toLowerCase() ?? '';

const limits = { fieldNameSize: 300, fieldSize: 20_000, fields: 1_100, files: 1, headerPairs: 20 };

function fileOfForm(request: IncomingMessage, { types, maxBytes }: Upload): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const form = formReader(request);
    form.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) reject(invalidField('body', 'has a field that is too long'));
      fields.push([name, value]);
    });
    form.on('file', (_field, stream, name, _encoding, sent) => {
      // Without a listener an error that comes before the file is read would end the process.
      stream.on('error', () => undefined);
      form.on('error', (error) => stream.destroy(error instanceof Error ? error : undefined));
      const file = { type: typeOf(mediaType(sent), name, types), name: name || undefined, fields };
      resolve({ ...file, parts: textParts(wellFormed(stream), maxBytes) });
    });
    form.on('error', () => reject(brokenForm()));
    form.on('finish', () => reject(invalidField('file', 'is missing: the form has no file')));
    request.on('error', (error) => form.destroy(error));
    request.pipe(form);
  });
}

function formReader({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits });
  } catch {
    throw brokenForm();
  }
}

const brokenForm = () =>
  malformedBody({ message: 'The body is not a valid form: a part is malformed or cut off.' });

async function* wellFormed(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch {
    throw brokenForm();
  }
}

/** Browsers name types that they do not know, or that a spreadsheet program has registered. */
function typeOf(sent: string, name: string, types: readonly [string, ...string[]]): string {
  if (types.includes(sent)) return sent;
  const lines = types.find((type) => type.includes('ndjson'));
  return lines !== undefined && /\.(?:ndjson|jsonl)$/i.test(name) ? lines : types[0];
}
