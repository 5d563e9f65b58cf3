/** A process of ours, with everything that it may reach. */
export interface Process {
  readonly name: string;
  /** Its key among the values, which Go's templates can read. */
  readonly key: string;
  readonly script: readonly string[];
  /** The services that it calls. */
  readonly calls: readonly string[];
  /** Whether it keeps data in PostgreSQL and events in NATS. */
  readonly hasData: boolean;
  /** Whether it sends messages through providers. */
  readonly sends: boolean;
  /** What it needs of a processor and of memory, measured; see the README. */
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly memoryLimit: string;
}

const service = (name: string, calls: readonly string[], sends: boolean): Process => ({
  name,
  key: name.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase()),
  script: [`services/${name}/src/main.ts`],
  calls,
  hasData: true,
  sends,
  requests: { cpu: '100m', memory: '320Mi' },
  memoryLimit: '768Mi',
});

/** In the order of an upgrade: each after those that it calls. */
export const services: readonly Process[] = [
  service('identity', [], true),
  service('contacts', ['identity'], false),
  service('scheduling', ['identity', 'contacts'], true),
  service('campaigns-templates', ['identity', 'contacts', 'scheduling'], false),
  service('leads-routing', ['identity', 'contacts', 'scheduling', 'campaigns-templates'], true),
];

export const gateway: Process = {
  name: 'gateway',
  key: 'gateway',
  script: ['gateway/src/main.ts'],
  calls: services.map(({ name }) => name),
  hasData: false,
  sends: false,
  requests: { cpu: '100m', memory: '256Mi' },
  memoryLimit: '512Mi',
};

export const processes: readonly Process[] = [...services, gateway];

export const httpPort = 3000;
export const metricsPort = 9464;
export const mailPort = 1025;

/** The part of it that a label names, so that policies and services find its pods. */
export const labelsOf = (name: string) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'crm',
});

/** `CONTACTS_URL` and the like. */
export const addresses: Readonly<Record<string, string>> = Object.fromEntries(
  services.map(({ name }) => [`${name.toUpperCase().replace('-', '_')}_URL`, `http://${name}:${httpPort}`]),
);

/** What shares the sessions of a cluster by transactions. */
export const poolerOf = (cluster: string) => `${cluster}-pooler`;

/** The cluster of PostgreSQL of a service, if each has one of its own, and that of all otherwise. */
export const ownCluster = (name: string) => `postgres-${name}`;
export const sharedCluster = 'postgres';
export const allClusters: readonly string[] = [
  sharedCluster,
  ...services.map(({ name }) => ownCluster(name)),
];
