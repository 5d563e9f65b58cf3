import type { IncomingMessage } from 'node:http';
import {
  bodyTooLarge,
  invalidField,
  malformedBody,
  Refused,
  type Upload,
  unsupportedMediaType,
} from '@crm/contract';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { textParts } from './text-parts.ts';

/** A file in a request, read no faster than it is consumed. */
export interface UploadedFile {
  readonly type: string;
  readonly name: string | undefined;
  /** The fields of the form before the file; their names may have brackets, as in a query. */
  readonly fields: URLSearchParams;
  readonly parts: AsyncIterable<string>;
}

/**
 * Finds the file of a request: its body, or the file in a form whose fields have at most `maxFieldBytes`, because they are kept
 * in memory. Throws BadRequest, PayloadTooLarge and UnsupportedMediaType.
 */
export async function openUpload(
  request: IncomingMessage,
  upload: Upload,
  maxFieldBytes: number,
): Promise<UploadedFile> {
  const type = mediaType(request.headers['content-type']);
  if (type === 'multipart/form-data') return fileOfForm(request, upload, maxFieldBytes);
  if (!upload.types.includes(type))
    throw unsupportedMediaType({
      message: `The body must be the file as ${upload.types.join(' or ')}, or a form (multipart/form-data) with it.`,
    });
  // If the request were destroyed before its end, its connection would stay open and silent, with the response unsent.
  const chunks = request.iterator({ destroyOnReturn: false });
  return { type, name: undefined, fields: new URLSearchParams(), parts: textParts(chunks, upload.maxBytes) };
}

const mediaType = (header = ''): string => header.split(';')[0]?.trim().toLowerCase() ?? '';

const limits = { fieldNameSize: 300, fieldSize: 20_000, fields: 1_100, files: 1, headerPairs: 20 };

function fileOfForm(
  request: IncomingMessage,
  { types, maxBytes }: Upload,
  maxFieldBytes: number,
): Promise<UploadedFile> {
  const form = formReader(request);
  const whole = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve);
    form.on('error', (error) => reject(error instanceof Refused ? error : (request.errored ?? brokenForm())));
  });
  return new Promise((resolve, reject) => {
    const fields = new URLSearchParams();
    let fieldBytes = 0;
    let hasFile = false;
    form.on('field', (name, value, isNameCut, isValueCut) => {
      fieldBytes += Buffer.byteLength(`${name}${value}`);
      if (hasFile)
        form.destroy(invalidField('body', 'has fields after the file: send the file as the last part'));
      else if (isNameCut || isValueCut) form.destroy(invalidField('body', 'has a field that is too long'));
      else if (fieldBytes > maxFieldBytes) form.destroy(fieldsTooLarge(maxFieldBytes));
      else fields.append(name, value);
    });
    form.on('fieldsLimit', () => form.destroy(invalidField('body', 'has too many fields')));
    form.on('filesLimit', () => form.destroy(invalidField('body', 'has more than one file')));
    form.on('file', (_field, stream, name, _encoding, sent) => {
      hasFile = true;
      // Without a listener, an error before the file is read would crash the process.
      stream.on('error', () => undefined);
      whole.catch((error: Error) => stream.destroy(error));
      const file = { type: typeOf(mediaType(sent), name, types), name: name || undefined, fields };
      resolve({ ...file, parts: textParts(lastPart(stream, whole), maxBytes) });
    });
    whole.then(() => reject(invalidField('file', 'is missing: the form has no file')), reject);
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

const fieldsTooLarge = (maxBytes: number) =>
  bodyTooLarge({ message: `The fields of the form have more than ${maxBytes / 1024} KiB.` });

/** The file of a form, which ends only once the whole form is known to be valid. */
async function* lastPart(file: AsyncIterable<Buffer>, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    await whole;
    throw error;
  }
  await whole;
}

/** Browsers send generic types for files that they do not know, or the type that a spreadsheet program has registered. */
function typeOf(sent: string, name: string, types: readonly [string, ...string[]]): string {
  if (types.includes(sent)) return sent;
  const lines = types.find((type) => type.includes('ndjson'));
  return lines !== undefined && /\.(?:ndjson|jsonl)$/i.test(name) ? lines : types[0];
}
