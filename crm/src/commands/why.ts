import type { Client } from '@crm/client';
import {
  type AuditEvent,
  auditEventApi,
  auditOrder,
  type Caused,
  type Condition,
  causeApi,
  maxAuditEvents,
} from '@crm/contract';
import type { z } from 'zod';
import type { Report } from '../command-line.ts';
import { tableOf } from '../printable.ts';
import { askService } from '../system/ask-service.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { sinceIn } from './option-values.ts';
import { whoDid } from './who-did.ts';

export interface WhyOptions {
  readonly since: string;
}

interface Subject {
  readonly kind: string;
  readonly id: string;
}

/** Something that a request led to. */
interface Effect {
  readonly at: string | null;
  readonly service: ServiceName | string;
  readonly who: string;
  readonly what: string;
  readonly record: string;
  readonly reason: string | null;
  readonly request_id: string;
}

const part = { auditEvents: auditEventApi, causes: causeApi };

/** A record may have more requests than anybody reads; the latest ones explain its state. */
const mostRequests = 20;

export async function showWhy(
  env: NodeJS.ProcessEnv,
  subject: Subject,
  { since }: WhyOptions,
): Promise<Report> {
  const asking = askingAll(env, sinceIn(since));
  const { requests, about } = await requestsOf(asking, subject);
  if (requests.length === 0) {
    const text = `Nothing is known about ${subject.kind} ${subject.id} since ${since}. Try a longer --since.`;
    return { json: { about, requests: [] }, text: [...about.map(lineOf), text].join('\n') };
  }
  const effects = await effectsOf(asking, requests);
  const grouped = [...Map.groupBy(effects, ({ request_id }) => request_id)].map(([request_id, all]) => ({
    request_id,
    effects: all,
  }));
  const text = [...about.map(lineOf), ...grouped.map(printed)].join('\n\n');
  return { json: { about, requests: grouped }, text };
}

type Asking = ReturnType<typeof askingAll>;

/** Asks all services, each of which has a part of the audit log and of the messages and events. */
function askingAll(env: NodeJS.ProcessEnv, since: Date) {
  const recent: Condition = { field: 'created_at', op: '$gte', value: since.toISOString() };
  const all = async <Answer>(ask: (client: Client<typeof part>) => Promise<Answer>) =>
    Promise.all(serviceNames.map(async (name) => ({ name, answer: await askService(env, name, part, ask) })));
  return {
    audited: async (where: readonly Condition[]): Promise<AuditEvent[]> => {
      const asked = { where: [recent, ...where], sort: [...auditOrder], limit: maxAuditEvents };
      const parts = await all(({ auditEvents }) => auditEvents.search(asked));
      return parts.flatMap(({ answer }) => answer.data);
    },
    caused: async (asked: z.input<typeof causeApi.find.input>) => {
      const parts = await all(({ causes }) => causes.find(asked));
      return parts.flatMap(({ name, answer }) => answer.data.map((one) => ({ ...one, service: name })));
    },
  };
}

type Found = Caused & { readonly service: ServiceName };

/** The latest requests related to something, oldest first, and what is known about it. */
async function requestsOf(
  { audited, caused }: Asking,
  { kind, id }: Subject,
): Promise<{ requests: string[]; about: Found[] }> {
  if (kind === 'request') return { requests: [id], about: [] };
  if (kind === 'published-event') {
    const about = await caused({ event_id: uuidIn(id) });
    return { requests: about.flatMap(({ request_id }) => request_id ?? []), about };
  }
  const record = numberIn(id);
  const [about, changes] = await Promise.all([
    caused({ message: { type: kind, id: record } }),
    audited([
      { field: 'record_type', op: '$in', value: [kind] },
      { field: 'record_id', op: '$in', value: [record] },
    ]),
  ]);
  const inOrder = changes.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const all = [
    ...about.flatMap(({ request_id }) => request_id ?? []),
    ...inOrder.map((one) => one.request_id),
  ];
  return { requests: [...new Set(all)].slice(-mostRequests), about };
}

async function effectsOf({ audited, caused }: Asking, requests: readonly string[]): Promise<Effect[]> {
  const [changes, messages] = await Promise.all([
    audited([{ field: 'request_id', op: '$in', value: [...requests] }]),
    caused({ request_ids: [...requests] }),
  ]);
  const effects = [...changes.map(effectOfChange), ...messages.map(effectOfMessage)];
  // Effects that have not happened yet come last.
  return effects.toSorted((a, b) => ((a.at ?? '~') < (b.at ?? '~') ? -1 : 1));
}

const effectOfChange = (event: AuditEvent): Effect => ({
  at: event.created_at,
  service: event.service,
  who: whoDid(event),
  what: event.action,
  record: event.record_type === null ? '' : `${event.record_type}/${event.record_id ?? ''}`,
  reason: null,
  request_id: event.request_id,
});

const effectOfMessage = ({ at, service, type, id, state, reason, request_id }: Found): Effect => ({
  at,
  service,
  who: 'system',
  what: state ?? '',
  record: `${type}/${id}`,
  reason,
  request_id: request_id ?? '',
});

const headings = ['Time', 'Service', 'Who', 'What', 'Record', 'Reason'];

const printed = ({ request_id, effects }: { request_id: string; effects: readonly Effect[] }): string =>
  `Request ${request_id}\n${tableOf(
    headings,
    effects.map(({ at, service, who, what, record, reason }) => [at, service, who, what, record, reason]),
  )}`;

const lineOf = ({ type, id, record, state, reason }: Found): string =>
  [`${type} ${id}`, record && `about ${record}`, state && `is ${state}`, reason].filter(Boolean).join(', ');

function numberIn(id: string): number {
  if (/^[1-9]\d{0,8}$/.test(id)) return Number(id);
  throw new Unable(
    'Usage',
    `The id is "${id}" but must be a number, unless the kind is request or published-event.`,
  );
}

function uuidIn(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return id;
  throw new Unable('Usage', `The id is "${id}" but must be the id of a published event, which is a UUID.`);
}
