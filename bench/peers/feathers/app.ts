import { feathers } from '@feathersjs/feathers';
import { transaction } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { hooks as schemaHooks } from '@feathersjs/schema';
import type { Knex } from 'knex';
import { largestPage, usualPage } from '../contact-fields.ts';
import { authenticate } from './authenticate.ts';
import { ContactService } from './contact-service.ts';
import type { Services } from './context.ts';
import { checkReferences, countVersion, orderById, selectShown, separateParts, writeParts } from './hooks.ts';
import { createResolver, patchResolver, resultResolver } from './resolvers.ts';
import { validators } from './schema.ts';

/** FeathersJS as its generator lays a service out: Koa, the Knex adapter, schemas, hooks and resolvers. */
export function buildApp(db: Knex) {
  const app = koa<Services>(feathers());
  app.use(errorHandler());
  app.use(bodyParser());
  app.configure(rest());
  const paginate = { default: usualPage, max: largestPage };
  app.use('contacts', new ContactService({ Model: db, name: 'contacts', paginate }), {
    methods: ['find', 'get', 'create', 'patch'],
    events: [],
  });
  app.service('contacts').hooks({
    around: { all: [authenticate(db), schemaHooks.resolveResult(resultResolver)] },
    before: {
      all: [schemaHooks.validateQuery(validators.query), selectShown],
      find: [orderById],
      create: [
        schemaHooks.validateData(validators.create),
        checkReferences(db),
        separateParts,
        schemaHooks.resolveData(createResolver),
        transaction.start(),
      ],
      patch: [
        schemaHooks.validateData(validators.patch),
        checkReferences(db),
        schemaHooks.resolveData(patchResolver),
        countVersion(db),
      ],
    },
    after: { create: [writeParts, transaction.end()] },
    error: { create: [transaction.rollback()] },
  });
  return app;
}
