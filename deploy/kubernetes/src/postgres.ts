import { labelsOf, ownCluster, services, sharedCluster } from './processes.ts';
import { type Condition, type Manifest, value } from './template.ts';

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
  ];
}

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
      // What is acknowledged is on two servers. Without a second one, writes wait instead of being acknowledged.
      postgresql: {
        synchronous: { method: 'any', number: 1, dataDurability: 'required' },
        parameters: {
          max_connections: value('postgres.maxConnections'),
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
