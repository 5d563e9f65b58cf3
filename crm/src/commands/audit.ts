import { type AuditEvent, auditEventApi, auditOrder, type Condition, mergePages } from '@crm/contract';
import type { Report } from '../command-line.ts';
import { tableOf } from '../printable.ts';
import { askIdentity } from '../system/ask-identity.ts';
import { askService } from '../system/ask-service.ts';
import { idOr } from '../system/id-or.ts';
import { serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { findUser } from './find-user.ts';
import { sinceIn, wholeNumber } from './option-values.ts';
import { whoDid } from './who-did.ts';

export interface AuditFilter {
  readonly user?: string;
  readonly since: string;
  readonly record?: string;
  readonly limit: string;
}

/** Every service has a part of the audit log. Reading it is recorded in it as well. */
const part = { auditEvents: auditEventApi };

export async function showAudit(env: NodeJS.ProcessEnv, filter: AuditFilter): Promise<Report> {
  const limit = wholeNumber('--limit', filter.limit, { min: 1, max: 9999 });
  const where: Condition[] = [
    { field: 'created_at', op: '$gte', value: sinceIn(filter.since).toISOString() },
    ...(filter.record === undefined ? [] : recordIn(filter.record)),
    ...(filter.user === undefined ? [] : await userIn(env, filter.user)),
  ];
  const asked = { where, sort: auditOrder, limit };
  const parts = await Promise.all(
    serviceNames.map((name) => askService(env, name, part, ({ auditEvents }) => auditEvents.search(asked))),
  );
  const { total, data } = mergePages(parts, { sort: auditOrder, skip: 0, limit, select: undefined });
  const rest = total > data.length ? `\n${total - data.length} more. Raise --limit or shorten --since.` : '';
  const text = data.length > 0 ? tableOf(headings, data.map(rowOf)) + rest : 'Nothing was recorded.';
  return { json: { total, data }, text };
}

const headings = ['Time', 'Who', 'Action', 'Record', 'Token', 'Client', 'Address', 'Request'];

const rowOf = (event: AuditEvent) => [
  event.created_at,
  whoDid(event),
  event.action,
  event.record_type === null ? '' : `${event.record_type}/${event.record_id ?? ''}`,
  event.token_id,
  event.client_id,
  event.address,
  event.request_id,
];

function recordIn(text: string): Condition[] {
  const [, type = '', id = ''] = /^([a-z][a-z-]{0,63})\/(\d{1,9})$/.exec(text) ?? [];
  if (id === '') throw new Unable('Usage', `--record is "${text}" but must look like contact/12.`);
  return [
    { field: 'record_type', op: '$in', value: [type] },
    { field: 'record_id', op: '$in', value: [Number(id)] },
  ];
}

async function userIn(env: NodeJS.ProcessEnv, named: string): Promise<Condition[]> {
  const user = idOr(named);
  // Records of a user may outlive the user, so an id is not looked up.
  const id =
    typeof user === 'number' ? user : (await askIdentity(env, (identity) => findUser(identity, user))).id;
  const roles = ['user_id', 'act_user_id'];
  return [{ any: roles.map((field): Condition[] => [{ field, op: '$in', value: [id] }]) }];
}
