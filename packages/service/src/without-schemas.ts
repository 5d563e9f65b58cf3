import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error('Routes must not use Fastify schemas; contracts validate instead.');
}

/** Without this, Fastify loads its own schema compilers, which are a hundred modules. */
export const withoutSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} as const satisfies FastifyServerOptions;
