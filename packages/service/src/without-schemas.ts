import type { FastifyServerOptions } from 'fastify';

function refuse(): never {
  throw new Error(
    'The routes have no schemas of Fastify, because the contracts describe what they read and return.',
  );
}

/** Without this Fastify loads what compiles schemas of its own, which are a hundred modules. */
export const withoutSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} as const satisfies FastifyServerOptions;
