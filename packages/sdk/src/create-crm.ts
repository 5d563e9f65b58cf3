import type { Auth } from './auth.ts';
import { changes, type FollowOptions } from './changes.ts';
import type { Crm } from './operations.ts';
import { allRecords, type Page } from './pages.ts';
import { isEmpty, queryString } from './query-string.ts';
import { routes } from './routes.ts';
import { type CallOptions, type Outgoing, type Sending, send } from './send.ts';

export interface CrmOptions {
  /** The URL of the API, such as https://crm.example.com. */
  readonly url: string;
  readonly auth: Auth;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** How often a request is repeated after a temporary failure; 3 by default. */
  readonly maxRetries?: number;
  /** How long to wait for the response to one attempt; by default 35 s, which is longer than the API takes. */
  readonly timeoutMs?: number;
}

type Input = Readonly<Record<string, unknown>>;
type Call = (input?: Input, options?: CallOptions) => unknown;

/** The API as functions: `await crm.contacts.list({ email })`. */
export function createCrm({ url, auth, fetch = globalThis.fetch, ...rest }: CrmOptions): Crm {
  // Detached, because browsers refuse a `fetch` that is called as a method.
  const sending: Sending = {
    auth,
    fetch: (...given) => fetch(...given),
    maxRetries: 3,
    timeoutMs: 35_000,
    ...rest,
  };
  const base = url.replace(/\/+$/, '');
  const resources = Object.entries(routes).map(([resource, operations]) => {
    const calls = Object.entries(operations).map(([name, rest]): [string, Call] => [
      name === 'find' ? 'list' : name,
      async (input = {}, options = {}) => send(outgoingOf(base, rest, input, options), options, sending),
    ]);
    return [resource, withIteration(Object.fromEntries(calls))];
  });
  return Object.fromEntries(resources) as Crm;
}

function withIteration(calls: Readonly<Record<string, Call>>) {
  const { list } = calls;
  if (!list) return calls;
  const readPage = list as (query: Input, options: CallOptions) => Promise<Page>;
  const all: Call = (input = {}, options = {}) => allRecords(input, (query) => readPage(query, options));
  const follow = (input: Input = {}, options: FollowOptions = {}) => changes(input, options, readPage);
  return calls.get ? { ...calls, all, changes: follow } : { ...calls, all };
}

/** Path parameters go into the path; a change has its other fields in the body and its conditions in the query. */
function outgoingOf(base: string, rest: string, input: Input, { dryRun }: CallOptions): Outgoing {
  const [method = '', template = ''] = rest.split(' ');
  const { $where, $select, ...fields }: Record<string, unknown> = input;
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(fields[name] ?? '');
    delete fields[name];
    if (value === '') throw new TypeError(`"${name}" is missing: it is a part of the path ${template}.`);
    // `fetch` resolves dots, even escaped ones, so the request would go to the parent record.
    if (value === '.' || value === '..') throw new TypeError(`"${name}" cannot be "${value}".`);
    return encodeURIComponent(value);
  });
  // Without its condition, the change would be made in whatever state the record is.
  if (typeof $where === 'object' && isEmpty({ ...$where })) throw new TypeError('"$where" has no value.');
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = queryString({
    ...(hasBody ? {} : fields),
    ...(typeof $where === 'object' ? $where : {}),
    $select,
    // Reads do not have this parameter, and refuse it.
    dry_run: dryRun || undefined,
  });
  return {
    method,
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    body: hasBody ? fields : undefined,
  };
}
