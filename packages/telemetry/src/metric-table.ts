/** A metric, with the names of the OpenTelemetry conventions where they exist. Labels have few, known values. */
export interface Metric {
  /** `observed` metrics are read when the metrics are requested; the others are recorded as things happen. */
  readonly kind: 'histogram' | 'counter' | 'observed' | 'observed total';
  /** In UCUM: `s` seconds, `By` bytes, `1` a ratio, `{…}` a count of the named things. */
  readonly unit: string;
  readonly description: string;
  readonly labels: readonly string[];
}

export const metricTable = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'How long the gateway took to respond to requests.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code'],
  },
  'crm.rate_limit.refusals': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that were refused because a limit was reached.',
    labels: ['crm.limit'],
  },
  'crm.rate_limit.unshared': {
    kind: 'counter',
    unit: '{request}',
    description: 'How often a gateway counted a request on its own, because RATE_LIMIT_URL did not respond.',
    labels: [],
  },
  'rpc.server.call.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'How long a service took to carry out calls, whoever made them.',
    labels: ['crm.service', 'rpc.method', 'crm.outcome'],
  },
  'crm.ready': {
    kind: 'observed',
    unit: '1',
    description: '1 while a service is ready, as `/readyz` reports; otherwise 0, also while it starts.',
    labels: ['crm.service'],
  },
  'db.client.connection.count': {
    kind: 'observed',
    unit: '{connection}',
    description: 'Connections of a service to its database, for requests and for background work.',
    labels: ['crm.service', 'db.client.connection.pool.name', 'db.client.connection.state'],
  },
  'db.client.connection.pending_requests': {
    kind: 'observed',
    unit: '{request}',
    description: 'Requests and background work that wait for a connection to the database.',
    labels: ['crm.service', 'db.client.connection.pool.name'],
  },
  'crm.outbox.waiting': {
    kind: 'observed',
    unit: '{event}',
    description: 'Events that are stored and not published yet.',
    labels: ['crm.service'],
  },
  'crm.outbox.age': {
    kind: 'observed',
    unit: 's',
    description: 'The age of the oldest event that is not published yet.',
    labels: ['crm.service'],
  },
  'crm.broker.connected': {
    kind: 'observed',
    unit: '1',
    description: '1 while a service is connected to NATS, otherwise 0.',
    labels: ['crm.service'],
  },
  'crm.consumer.waiting': {
    kind: 'observed',
    unit: '{event}',
    description: 'Events of a publisher that a service has not handled yet.',
    labels: ['crm.service', 'crm.publisher'],
  },
  'crm.dead_letters': {
    kind: 'observed',
    unit: '{event}',
    description: 'Events that a service could not handle and that nobody has dealt with yet.',
    labels: ['crm.service'],
  },
  'messaging.process.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'How long a service took to handle events.',
    labels: ['crm.service', 'crm.event', 'crm.outcome'],
  },
  'crm.dispatch.due': {
    kind: 'observed',
    unit: '{message}',
    description: 'Messages that are due for an attempt to send them.',
    labels: ['crm.queue', 'crm.lane'],
  },
  'crm.dispatch.lateness': {
    kind: 'observed',
    unit: 's',
    description:
      'How long the oldest due message has been waiting for an attempt to send it. Between two attempts, a message is not due.',
    labels: ['crm.queue', 'crm.lane'],
  },
  'crm.dispatch.failing': {
    kind: 'observed',
    unit: '{message}',
    description: 'Messages for which more than three attempts have failed and that are still being retried.',
    labels: ['crm.queue', 'crm.lane'],
  },
  'crm.dispatch.outcomes': {
    kind: 'counter',
    unit: '{message}',
    description: 'Outcomes of messages, including those that wait for another attempt.',
    labels: ['crm.queue', 'crm.lane', 'crm.state'],
  },
  'crm.clock.skew': {
    kind: 'observed',
    unit: 's',
    description: 'By how much the clock of the machine is ahead of the clock of the database.',
    labels: ['crm.service'],
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'observed',
    unit: 's',
    description:
      'The delay of the event loop that 1 % of its turns exceeded since the metrics were last read.',
    labels: [],
  },
  'nodejs.eventloop.utilization': {
    kind: 'observed',
    unit: '1',
    description: 'The share of the time in which the event loop was busy since the metrics were last read.',
    labels: [],
  },
  'process.memory.usage': {
    kind: 'observed',
    unit: 'By',
    description: 'The memory of the process.',
    labels: [],
  },
  'process.cpu.time': {
    kind: 'observed total',
    unit: 's',
    description: 'The processor time of the process.',
    labels: ['cpu.mode'],
  },
} as const satisfies Readonly<Record<string, Metric>>;

type Table = typeof metricTable;

/** The names of the metrics of some kinds. */
export type Named<Kind extends Metric['kind']> = {
  [Name in keyof Table]: Table[Name]['kind'] extends Kind ? Name : never;
}[keyof Table];

/** A value for each label of a metric. */
export type Labels<Name extends keyof Table> = Readonly<
  Record<Table[Name]['labels'][number], string | number>
>;
