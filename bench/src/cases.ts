import { enrolledContacts, taskDay } from './seed/activity.ts';
import { clientOfChains, type Needs } from './seed/prepare.ts';
import {
  type Agent,
  contactsPerOwner,
  hotnessesPerOwner,
  idsOf,
  lastSeeded,
  sourcesPerOwner,
  tagsPerOwner,
} from './seed/rows.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether it carries an Idempotency-Key. */
  readonly once?: boolean;
  /** In place of the agent's token. */
  readonly authorization?: string;
}

/** An agent as whom requests are sent. */
export interface Sender extends Agent {
  /** The agent's lead source or campaign, if the requests of the case name one. */
  readonly named?: number;
}

interface Case {
  readonly title: string;
  /** Whether the rows have to be put back afterwards. */
  readonly writes: boolean;
  /** Whether only our system has it, so that there is nothing to compare. */
  readonly oursOnly: boolean;
  /** What is prepared for it, and removed when the rows are put back. */
  readonly needs?: Needs;
  /** Sent right before by the same connection. Its time is not measured, and it is not counted. */
  readonly before?: (agent: Sender) => HttpRequest;
  /** Given the latest response that the connection has received. */
  readonly requestOf: (agent: Sender, latest: Buffer) => HttpRequest;
}

const day = 86_400_000;
const below = (limit: number): number => Math.floor(Math.random() * limit);
const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
const get = (path: string): HttpRequest => ({ method: 'GET', path });

const newestFirst = (limit: number) => () => get(`/contacts?$limit=${limit}&$sort[modified_at]=-1`);

function threeFilters({ id }: Agent): HttpRequest {
  const hotnesses = idsOf(id, hotnessesPerOwner);
  const first = below(hotnesses.length);
  const second = (first + 1) % hotnesses.length;
  const since = new Date(lastSeeded - (90 + below(300)) * day).toISOString();
  const filters = [
    `hotness_id[$in]=${hotnesses[first]}`,
    `hotness_id[$in]=${hotnesses[second]}`,
    `source_id=${oneOf(idsOf(id, sourcesPerOwner))}`,
    `modified_at[$gte]=${since}`,
  ];
  return get(`/contacts?${filters.join('&')}&$limit=10&$sort[modified_at]=-1`);
}

const withParts = ({ contacts }: Agent) => get(`/contacts/${oneOf(contacts)}`);

function create({ id }: Agent): HttpRequest {
  const number = below(1_000_000);
  const tag = below(tagsPerOwner);
  const body = {
    first_name: 'Renata',
    last_name: `Quist ${number}`,
    email: `renata.quist.${number}@example.com`,
    mobile_phone: `(604) 555-${String(number % 10_000).padStart(4, '0')}`,
    company: 'Quist Homes',
    birthday: '1984-05-06',
    hotness_id: oneOf(idsOf(id, hotnessesPerOwner)),
    source_id: oneOf(idsOf(id, sourcesPerOwner)),
    tags: `tag ${1 + tag}, tag ${1 + ((tag + 7) % tagsPerOwner)}`,
    addresses: [
      { type: 'Home', street_address_1: '1 Ocean Drive', zip: '90210', city: 'Malibu', state: 'California' },
    ],
  };
  return { method: 'POST', path: '/contacts', body };
}

function patch({ id, contacts }: Agent): HttpRequest {
  const body = { company: `Company ${below(1_000)}`, hotness_id: oneOf(idsOf(id, hotnessesPerOwner)) };
  return { method: 'PATCH', path: `/contacts/${oneOf(contacts)}`, body };
}

/** Of ten requests eight read: four plain lists, a filtered one and three contacts. One creates and one changes. */
function mixed(agent: Agent): HttpRequest {
  const roll = below(10);
  if (roll < 4) return newestFirst(10)();
  if (roll < 5) return threeFilters(agent);
  if (roll < 8) return withParts(agent);
  return roll < 9 ? create(agent) : patch(agent);
}

function tasksOfDay(): HttpRequest {
  const first = below(3);
  return get(`/tasks?due_at[$gte]=${taskDay(first)}T00:00:00Z&due_at[$lt]=${taskDay(first + 1)}T00:00:00Z`);
}

const communications = ({ contacts }: Agent) =>
  get(`/contacts/${oneOf(contacts.slice(0, enrolledContacts))}/campaign-communications`);

function lead({ contacts, named: source_id }: Sender): HttpRequest {
  const body = {
    contact_id: oneOf(contacts),
    source_id,
    type: 'Buyer',
    text_body: 'I would like to see it.',
  };
  return { method: 'POST', path: '/leads', body };
}

const idIn = (response: Buffer): number => (JSON.parse(response.toString()) as { id: number }).id;

const claim = (_: Sender, lead: Buffer): HttpRequest => ({
  method: 'POST',
  path: `/leads/${idIn(lead)}/claim`,
  body: {},
});

const enrol = ({ named }: Sender, contact: Buffer): HttpRequest => ({
  method: 'POST',
  path: `/campaigns/${named}/contacts`,
  body: { contact_id: idIn(contact) },
});

function exchange(_: Sender, latest: Buffer): HttpRequest {
  const { refresh_token } = JSON.parse(latest.toString()) as { refresh_token: string };
  return {
    method: 'POST',
    path: '/oauth2/token',
    body: { grant_type: 'refresh_token', refresh_token },
    authorization: `Basic ${btoa(`${clientOfChains.id}:${clientOfChains.secret}`)}`,
  };
}

const ours = { writes: false, oursOnly: true };
const oursWrite = { writes: true, oursOnly: true };
const read = { writes: false, oursOnly: false };
const write = { writes: true, oursOnly: false };

const cases = {
  'list-10': { title: 'list of 10, newest first, with the total', ...read, requestOf: newestFirst(10) },
  'list-filtered': { title: 'list of 10 with three filters', ...read, requestOf: threeFilters },
  'list-100': { title: 'list of 100, newest first, with the total', ...read, requestOf: newestFirst(100) },
  'list-100-later': {
    title: 'list of 100 somewhere behind the first ones',
    ...read,
    requestOf: () =>
      get(`/contacts?$limit=100&$skip=${1 + below(contactsPerOwner - 100)}&$sort[modified_at]=-1`),
  },
  get: { title: 'one contact with its nested parts', ...read, requestOf: withParts },
  create: { title: 'create with an address and two tags', ...write, requestOf: create },
  'create-once': {
    title: 'the same with an Idempotency-Key',
    ...oursWrite,
    requestOf: (agent) => ({ ...create(agent), once: true }),
  },
  patch: { title: 'change of two fields', ...write, requestOf: patch },
  mixed: { title: 'four of five requests read, one writes', ...write, requestOf: mixed },
  search: {
    title: 'search for a last name',
    ...ours,
    requestOf: ({ names }) => get(`/contacts?$search=${oneOf(names)}&$limit=10`),
  },
  events: { title: 'list of 25 events, newest first', ...ours, requestOf: () => get('/events?$limit=25') },
  leads: { title: 'list of 10 leads with their contacts', ...ours, requestOf: () => get('/leads?$limit=10') },
  tasks: { title: 'tasks of a day', ...ours, requestOf: tasksOfDay },
  communications: { title: 'messages to a contact in a campaign', ...ours, requestOf: communications },
  token: { title: 'check of a token: GET /me', ...ours, requestOf: () => get('/me') },
  lead: { title: 'new lead, offered to the agent', ...oursWrite, needs: 'routes', requestOf: lead },
  claim: { title: 'claim of a new lead', ...oursWrite, needs: 'routes', before: lead, requestOf: claim },
  enrol: {
    title: 'new contact into a campaign',
    ...oursWrite,
    needs: 'campaigns',
    before: create,
    requestOf: enrol,
  },
  exchange: { title: 'exchange of a refresh token', ...oursWrite, needs: 'chains', requestOf: exchange },
} satisfies Record<string, Case>;

export type CaseName = keyof typeof cases;
export const caseNames = Object.keys(cases) as CaseName[];
export const caseOf = (name: CaseName): Case => cases[name];
