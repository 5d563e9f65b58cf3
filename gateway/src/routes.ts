import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsApi } from '@crm/contacts/api';
import type { Contract, Operation, Verb } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { leadsRoutingApi } from '@crm/leads-routing/api';
import { schedulingApi } from '@crm/scheduling/api';

/** The services behind the public API, by the names in their call paths. */
export const contracts: Readonly<Record<string, Contract>> = {
  identity: identityApi,
  contacts: contactsApi,
  scheduling: schedulingApi,
  'campaigns-templates': campaignsTemplatesApi,
  'leads-routing': leadsRoutingApi,
};

export interface Route {
  readonly service: string;
  /** `<resource>.<verb>`. */
  readonly procedure: string;
  readonly method: Verb;
  /** A template such as `/contacts/:contact_id/addresses/:id`. */
  readonly path: string;
  readonly operation: Operation;
}

const all = routesOf(contracts);

/** Every operation of the public API: an operation appears here as soon as its service declares it with a path. */
export const routes: readonly Route[] = all.filter(({ operation }) => !operation.web);

/** The operations that use another protocol than the JSON API: pages, OAuth, callbacks. */
export const webRoutes: readonly Route[] = all.filter(({ operation }) => operation.web);

/** The operations of some contracts that have a path; operations for internal callers have none. */
export function routesOf(contracts: Readonly<Record<string, Contract>>): Route[] {
  return Object.entries(contracts).flatMap(([service, contract]) =>
    Object.entries(contract).flatMap(([resource, operations]) =>
      Object.entries(operations).flatMap(([verb, operation]) => {
        if (!operation.rest) return [];
        const [method, path] = operation.rest.split(' ') as [Verb, string];
        return [{ service, procedure: `${resource}.${verb}`, method, path, operation }];
      }),
    ),
  );
}
