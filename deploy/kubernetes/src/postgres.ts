import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { labelsOf, ownCluster, poolerOf, services, sharedCluster } from './processes.ts';
import { type Condition, type Manifest, type Templated, value } from './template.ts';

const plugin = 'barman-cloud.cloudnative-pg.io';
const roleOf = (name: string) => `crm_${name.replaceAll('-', '_')}`;

/** The role of a service and the Secret with its password, which the operator of PostgreSQL gives it. */
const roleSecretOf = (name: string) => `crm-role-${name}`;

/** PostgreSQL by CloudNativePG: one cluster for all services, or one for each. */
export function postgres(): Manifest[] {
  const names = services.map(({ name }) => name);
  const layout = (equals: string): Condition[] => [{ path: 'postgres.layout', equals }];
  return [
    ...clusterFor(sharedCluster, names, layout('shared')),
    ...names.flatMap((name) => clusterFor(ownCluster(name), [name], layout('perService'))),
    {
      when: [{ path: 'postgres.backup.enabled' }],
      object: {
        apiVersion: 'barmancloud.cnpg.io/v1',
        kind: 'ObjectStore',
        metadata: { name: 'backups', labels: labelsOf('backups') },
        spec: {
          configuration: value('postgres.backup.configuration'),
          retentionPolicy: value('postgres.backup.retention'),
        },
      },
    },
  ];
}

function clusterFor(cluster: string, names: readonly string[], when: readonly Condition[]): Manifest[] {
  const labels = labelsOf(cluster);
  const backup = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'ScheduledBackup',
    metadata: { name: cluster, labels },
    spec: {
      schedule: value('postgres.backup.schedule'),
      backupOwnerReference: 'self',
      cluster: { name: cluster },
      method: 'plugin',
      pluginConfiguration: { name: plugin },
    },
  };
  return [
    { when, object: clusterOf(cluster, names) },
    { when: [...when, { path: 'postgres.backup.enabled' }], object: backup },
    ...pooler(cluster, names, [...when, { path: 'postgres.pooler.enabled' }]),
  ];
}

/**
 * PgBouncer in front of a cluster, and where its services find it. They reach the cluster itself as well, for what needs a
 * session of its own.
 */
function pooler(cluster: string, names: readonly string[], when: readonly Condition[]): Manifest[] {
  const name = poolerOf(cluster);
  const labels = labelsOf(name);
  const selected = { 'cnpg.io/poolerName': name };
  const budget: Templated<PodDisruptionBudget> = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels },
    spec: { maxUnavailable: 1, selector: { matchLabels: selected } },
  };
  const encryption = `sslmode=verify-full&sslrootcert=/run/authorities/${cluster}.crt`;
  const addresses = names.map((service) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `crm-pooler-${service}`, labels },
    data: { DATABASE_POOLER_URL: `postgres://${name}:5432/crm?${encryption}` },
  }));
  return [poolerResource(cluster), budget, ...addresses].map((object) => ({ when, object }));
}

const poolerResource = (cluster: string) => ({
  apiVersion: 'postgresql.cnpg.io/v1',
  kind: 'Pooler',
  metadata: { name: poolerOf(cluster), labels: labelsOf(poolerOf(cluster)) },
  spec: {
    cluster: { name: cluster },
    type: 'rw',
    instances: value('postgres.pooler.instances'),
    pgbouncer: { poolMode: 'transaction', parameters: value('postgres.pooler.parameters') },
    template: {
      spec: {
        // Those of the operator.
        containers: [],
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: { matchLabels: { 'cnpg.io/poolerName': poolerOf(cluster) } },
          },
        ],
      },
    },
  },
});

/** With what it archives its log, if backups are made. */
const archive = {
  name: plugin,
  enabled: value('postgres.backup.enabled'),
  isWALArchiver: true,
  parameters: { barmanObjectName: 'backups' },
};

const managedRole = (name: string) => ({
  name: roleOf(name),
  ensure: 'present',
  login: true,
  passwordSecret: { name: roleSecretOf(name) },
});

function clusterOf(cluster: string, names: readonly string[]) {
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name: cluster, labels: labelsOf(cluster) },
    spec: {
      instances: value('postgres.instances'),
      imageName: value('postgres.imageName'),
      storage: value('postgres.storage'),
      walStorage: value('postgres.walStorage'),
      resources: value('postgres.resources'),
      affinity: {
        enablePodAntiAffinity: true,
        topologyKey: 'kubernetes.io/hostname',
        podAntiAffinityType: 'required',
      },
      primaryUpdateStrategy: 'unsupervised',
      // PgBouncer shows its clients the certificate of the cluster.
      certificates: { serverAltDNSNames: [poolerOf(cluster)] },
      // What is acknowledged is on two servers. Without a second one, writes wait instead of being acknowledged.
      postgresql: {
        synchronous: { method: 'any', number: 1, dataDurability: 'required' },
        parameters: {
          max_connections: value('postgres.maxConnections'),
          shared_buffers: value('postgres.sharedBuffers'),
          // No statement is logged with the values it holds.
          log_min_error_statement: 'panic',
        },
      },
      bootstrap: { initdb: initial(names) },
      managed: { roles: names.map(managedRole) },
      plugins: [archive],
    },
  };
}

/** As `crm deployment prepare` does it: a role and a schema for each service in one database. */
function initial(names: readonly string[]) {
  return {
    database: 'crm',
    encoding: 'UTF8',
    localeProvider: 'builtin',
    builtinLocale: 'C.UTF-8',
    dataChecksums: true,
    postInitApplicationSQL: [
      'create extension if not exists pg_trgm schema public',
      'create extension if not exists btree_gin schema public',
      ...names.flatMap((name) => [
        `create role ${roleOf(name)} login`,
        `create schema ${name.replaceAll('-', '_')} authorization ${roleOf(name)}`,
      ]),
    ],
  };
}
