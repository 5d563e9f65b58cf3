import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('Routes must not use Fastify schemas; contracts validate instead.');
}

/** Without this Fastify loads what compiles schemas of its own, which are a hundred modules. */
export const withoutSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} as const satisfies FastifyServerOptions;
