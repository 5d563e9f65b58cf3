import type { Routes } from './operations.ts';

function records<const Path extends string>(path: Path) {
  return {
    find: `GET ${path}`,
    get: `GET ${path}/:id`,
    create: `POST ${path}`,
    patch: `PATCH ${path}/:id`,
    remove: `DELETE ${path}/:id`,
  } as const;
}

type Verb = keyof ReturnType<typeof records>;

function some<const Path extends string, const Name extends Verb>(path: Path, ...names: readonly Name[]) {
  const all: Readonly<Record<Verb, string>> = records(path);
  const entries = names.map((name) => [name, all[name]]);
  return Object.fromEntries(entries) as Pick<ReturnType<typeof records<Path>>, Name>;
}

/**
 * The path of each operation. The contracts contain them too, but would load the validation and documentation of all fields;
 * instead the compiler compares each path with that of its contract.
 */
export const routes: Routes = {
  addresses: records('/contacts/:contact_id/addresses'),
  auditEvents: some('/audit-events', 'find'),
  campaignActions: records('/campaigns/:campaign_id/actions'),
  campaignContacts: some('/campaigns/:campaign_id/contacts', 'find', 'get', 'create', 'remove'),
  campaigns: { ...records('/campaigns'), preview: 'POST /campaigns/:id/preview' },
  communications: some('/contacts/:contact_id/campaign-communications', 'find', 'get', 'patch'),
  bulkOperationErrors: some('/bulk-operations/:bulk_operation_id/errors', 'find'),
  bulkOperations: some('/bulk-operations', 'find', 'get', 'create', 'patch'),
  consents: { get: 'GET /contacts/:id/consent', patch: 'PATCH /contacts/:id/consent' },
  contactHistory: some('/contacts/:contact_id/history', 'find'),
  contactSources: records('/contact-sources'),
  contacts: records('/contacts'),
  customFields: records('/custom-fields'),
  distributionOptions: records('/team-member-distribution-options'),
  eventProperties: records('/events/:event_id/properties'),
  events: records('/events'),
  hotnesses: records('/hotnesses'),
  imports: some('/imports', 'find', 'get', 'patch'),
  leadHistory: some('/leads/:lead_id/history', 'find'),
  leadRoutes: { ...records('/lead-routes'), simulate: 'POST /lead-routes/simulate' },
  leadSources: some('/lead-sources', 'find', 'get'),
  leads: {
    ...some('/leads', 'find', 'get', 'create'),
    claim: 'POST /leads/:id/claim',
    decline: 'POST /leads/:id/decline',
    routing: 'GET /leads/:id/routing',
  },
  me: {
    get: 'GET /me',
    patch: 'PATCH /me',
    sendPhoneCode: 'POST /me/phone/code',
    confirmPhone: 'POST /me/phone/confirm',
  },
  offers: { ...some('/leads/:lead_id/offers', 'find', 'get'), send: 'POST /leads/:lead_id/offers' },
  scheduledTasks: records('/api/v1/scheduled/tasks'),
  shares: some('/contacts/:contact_id/shares', 'find', 'get', 'create', 'remove'),
  staticListContacts: {
    find: 'GET /static-lists/:static_list_id/contacts',
    add: 'POST /static-lists/:static_list_id/contacts',
    remove: 'DELETE /static-lists/:static_list_id/contacts/:contact_id',
  },
  staticLists: some('/static-lists', 'find', 'get', 'create', 'remove'),
  subAccounts: some('/sub-accounts', 'find', 'get', 'create', 'remove'),
  tags: records('/tags'),
  taskCategories: records('/api/v1/task-categories'),
  tasks: records('/tasks'),
  teamMembers: some('/team-members', 'find', 'get', 'patch'),
  teams: records('/teams'),
  templateFolders: { ...records('/template-folders'), share: 'POST /template-folders/:id/shares' },
  templates: { ...records('/templates'), render: 'POST /templates/:id/render' },
  textPauses: { end: 'POST /contacts/:contact_id/text-pause/end' },
  users: some('/users', 'find', 'get'),
};
