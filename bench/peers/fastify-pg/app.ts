import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse } from 'qs';
import {
  addressTexts,
  addressTypes,
  type ContactDraft,
  longestTags,
  mostAddresses,
  partsOf,
  references,
  texts,
} from '../contact-fields.ts';
import { tokenHashOf } from '../token-hash.ts';
import type { Database } from './database.ts';
import { readQuery } from './query.ts';
import { readOne, readPage } from './reads.ts';
import { insertContact, updateContact } from './writes.ts';

interface Body {
  readonly body: string;
}
type Values = Readonly<Record<string, unknown>>;

const textOf = (maxLength: number) => ({ type: ['string', 'null'], maxLength });
const textsOf = (lengths: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(lengths).map(([name, most]) => [name, textOf(most)]));
const bodyOf = (properties: object) => ({ type: 'object', additionalProperties: false, properties });

const address = bodyOf({ type: { enum: [...addressTypes, null] }, ...textsOf(addressTexts) });
const fields = {
  ...textsOf(texts),
  ...Object.fromEntries(references.map((name) => [name, { type: ['integer', 'null'] }])),
};
const created = {
  ...fields,
  tags: textOf(longestTags),
  addresses: { type: 'array', maxItems: mostAddresses, items: address },
};
const params = {
  type: 'object',
  properties: { id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
};

const holder = `select u.id from tokens t join users u on u.id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now() and u.disabled_at is null`;

export function buildApp(db: Database): FastifyInstance {
  const app = Fastify({
    routerOptions: { querystringParser: (text) => parse(text, { depth: 6, arrayLimit: 1_200 }) as Values },
    ajv: { customOptions: { coerceTypes: true, removeAdditional: true } },
  });
  app.decorateRequest('user', 0);
  app.addHook('onRequest', async (request, reply) => {
    const hash = tokenHashOf(request.headers.authorization);
    const found = hash && (await db.one<{ id: number }>({ text: holder, values: [hash] }));
    if (!found) return problem(reply, 401, 'NotAuthenticated', 'Invalid access token.');
    request.setDecorator('user', found.id);
  });
  addReads(app, db);
  addWrites(app, db);
  return app;
}

function addReads(app: FastifyInstance, db: Database): void {
  app.get<{ Querystring: Values }>('/contacts', async (request, reply) => {
    const found = await db.one<Body>(readPage(userOf(request), readQuery(request.query)));
    return json(reply, found?.body ?? '');
  });
  app.get<{ Params: { id: number } }>('/contacts/:id', { schema: { params } }, (request, reply) =>
    answer(db, request, reply, request.params.id),
  );
}

function addWrites(app: FastifyInstance, db: Database): void {
  app.post<{ Body: Values }>('/contacts', { schema: { body: bodyOf(created) } }, async (request, reply) => {
    const found = await db.one<{ id: number }>(insertContact(userOf(request), partsOf(request.body)));
    if (!found) return unknownReference(reply);
    return answer(db, request, reply.code(201), found.id);
  });
  app.patch<{ Params: { id: number }; Body: ContactDraft }>(
    '/contacts/:id',
    { schema: { params, body: bodyOf(fields) } },
    async (request, reply) => {
      const { id } = request.params;
      const changed = await db.one(updateContact(userOf(request), id, request.body));
      const visible = changed ?? (await db.one(readOne(userOf(request), id)));
      if (visible && !changed) return unknownReference(reply);
      return answer(db, request, reply, id);
    },
  );
}

async function answer(db: Database, request: FastifyRequest, reply: FastifyReply, id: number) {
  const found = await db.one<Body>(readOne(userOf(request), id));
  return found ? json(reply, found.body) : problem(reply, 404, 'NotFound', `No contact has the id ${id}.`);
}

const userOf = (request: FastifyRequest): number => request.getDecorator<number>('user');

const json = (reply: FastifyReply, text: string) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text);

const problem = (reply: FastifyReply, code: number, name: string, message: string) =>
  reply.code(code).send({ name, message, code });

const unknownReference = (reply: FastifyReply) =>
  problem(reply, 400, 'BadRequest', 'hotness_id or source_id refers to a record that does not exist.');
