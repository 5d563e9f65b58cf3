import type { Described } from './described.ts';

const databaseResources = { requests: { cpu: '1', memory: '4Gi' }, limits: { memory: '4Gi' } };

const backup = {
  destinationPath: 's3://crm-backups/',
  s3Credentials: {
    accessKeyId: { name: 'backup-credentials', key: 'ACCESS_KEY_ID' },
    secretAccessKey: { name: 'backup-credentials', key: 'ACCESS_SECRET_KEY' },
  },
  wal: { compression: 'gzip' },
};

/** As services want it; see docs/operations/configure.md. */
const pooling = { max_client_conn: '1000', default_pool_size: '20', max_prepared_statements: '300' };

export const postgresValues: readonly Described[] = [
  {
    path: 'postgres.layout',
    value: 'shared',
    meaning: '`shared`, `perService`, or `external` for one outside of this chart',
  },
  {
    path: 'postgres.instances',
    value: 3,
    meaning: 'servers in a cluster; at least 3, because an acknowledged write is on two',
  },
  {
    path: 'postgres.imageName',
    value: '',
    meaning: 'the image of PostgreSQL 18 from CloudNativePG; empty for the default of the operator',
  },
  { path: 'postgres.storage', value: { size: '50Gi' }, meaning: 'the disk of a server' },
  { path: 'postgres.walStorage', value: { size: '10Gi' }, meaning: 'the disk of its log' },
  { path: 'postgres.resources', value: databaseResources, meaning: 'of a server' },
  {
    path: 'postgres.sharedBuffers',
    value: '1GB',
    meaning: 'the memory that PostgreSQL uses as its own cache; a quarter of the memory of a server',
  },
  {
    path: 'postgres.maxConnections',
    value: '300',
    meaning: '20 for each instance of a service, and 20 more',
  },
  {
    path: 'postgres.pooler.enabled',
    value: false,
    meaning:
      'whether services use PgBouncer, for many instances; not with `external`, whose pooler `settings` can name',
  },
  { path: 'postgres.pooler.instances', value: 2, meaning: 'instances of PgBouncer for each cluster' },
  {
    path: 'postgres.pooler.parameters',
    value: pooling,
    meaning:
      'of PgBouncer; `default_pool_size` is for each service and instance of it, so `postgres.maxConnections` must allow them',
  },
  {
    path: 'postgres.backup.enabled',
    value: false,
    meaning: 'whether to back up to an object storage (recommended)',
  },
  {
    path: 'postgres.backup.configuration',
    value: backup,
    meaning: 'the object storage, as the Barman Cloud plugin reads it',
  },
  {
    path: 'postgres.backup.schedule',
    value: '0 0 2 * * *',
    meaning: 'when a base backup is made, with seconds first',
  },
  { path: 'postgres.backup.retention', value: '30d', meaning: 'how far back a restoration can go' },
];
