import type { HookContext as FeathersContext } from '@feathersjs/feathers';
import type { Application } from '@feathersjs/koa';
import type { ContactService } from './contact-service.ts';

export interface Services {
  contacts: ContactService;
}

export type HookContext = FeathersContext<Application<Services>, ContactService>;
