import type { HookContext as FeathersContext } from '@feathersjs/feathers';
import type { KnexAdapterParams } from '@feathersjs/knex';
import type { Application } from '@feathersjs/koa';
import type { NewContact } from '../contact-fields.ts';
import type { ContactService } from './contact-service.ts';
import type { Loaders } from './loaders.ts';

export interface ContactParams extends KnexAdapterParams {
  user: { readonly id: number };
  loaders: Loaders;
  parts?: NewContact;
}

export interface Services {
  contacts: ContactService;
}

export type HookContext = FeathersContext<Application<Services>, ContactService>;
