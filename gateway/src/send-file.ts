import type { Answer } from '@crm/client';
import { type Download, FilePart } from '@crm/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyInParts } from './body-in-parts.ts';
import { preferredType } from './preferred-type.ts';

/** The input for a part of a file, besides that of the operation. */
interface PartRequest {
  readonly type: string;
  readonly cursor?: string;
}

/**
 * Sends a file in parts, each requested after the client has received the previous one, so that only one is in memory. A refusal
 * of the first part is a normal response; a later one breaks the connection.
 */
export async function sendFile(
  { name, types }: Download,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (part: PartRequest) => Promise<Answer>,
): Promise<FastifyReply> {
  const [usual = ''] = Object.keys(types);
  const type = preferredType(request.headers.accept, Object.keys(types)) ?? usual;
  const partWith = async (part: PartRequest) => FilePart.parse(JSON.parse((await ask(part)).text));
  const first = await partWith({ type });
  async function* texts() {
    let part = first;
    for (;;) {
      yield Buffer.from(part.text);
      if (part.next === null) return;
      part = await partWith({ type, cursor: part.next });
    }
  }
  return reply
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}.${types[type]}"`)
    .send(bodyInParts(request, texts()));
}
