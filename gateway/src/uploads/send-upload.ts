import { type Answer, type CallService, deadlineIn } from '@crm/client';
import { Refused, type Upload } from '@crm/contract';
import type { FastifyRequest } from 'fastify';
import { type Backend, requestMs } from '../backend.ts';
import { idIn } from '../record-place.ts';
import { serverOptions } from '../server-options.ts';
import { openUpload, type UploadedFile } from './open-upload.ts';

interface Sending extends Pick<Backend, 'asGateway'> {
  readonly call: CallService;
  readonly service: string;
  readonly upload: Upload;
  readonly request: FastifyRequest;
}

/** Sends the file of a request to a service, after a first call with the fields of the request. */
export async function sendUpload(
  sending: Sending,
  begin: (file: UploadedFile) => Promise<Answer>,
): Promise<Answer> {
  const file = await openUpload(sending.request.raw, sending.upload, serverOptions.bodyLimit);
  const { text, replayed } = await begin(file);
  const answer = await sendParts(sending, Number(idIn(text)), file);
  return { ...answer, replayed };
}

/**
 * Sends a file in parts, each after the previous one was stored. Returns the service's response to the last one. If the file
 * cannot be used, the service learns why; if the client disconnects, it may send the file again.
 */
export async function sendParts(
  { asGateway, call, service, upload, request: { id: requestId } }: Sending,
  id: number,
  file: UploadedFile,
): Promise<Answer> {
  let index = 0;
  const send = async (more: { text?: string; is_last?: boolean; problem?: string }) =>
    call({
      procedure: upload.parts,
      input: { id, index, text: '', is_last: false, ...more },
      credential: await asGateway(service, requestId),
      requestId,
      // A repeated part changes nothing.
      mayRepeat: true,
      deadline: deadlineIn(requestMs),
    });
  try {
    for await (const text of file.parts) {
      await send({ text });
      index++;
    }
    return await send({ is_last: true });
  } catch (error) {
    if (error instanceof Refused && error.name !== 'Unavailable') await send({ problem: sentenceOf(error) });
    throw error;
  }
}

function sentenceOf({ message, errors }: Refused): string {
  const [[field, text] = []] = Object.entries(errors);
  if (field === undefined || text === undefined) return message;
  const sentence = /^[A-Z]/.test(text) ? text : `The ${field} ${text}`;
  return sentence.replace(/[^.]$/, '$&.');
}
