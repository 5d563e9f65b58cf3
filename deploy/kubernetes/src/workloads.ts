import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js';
import { graceSeconds, podOf, serving } from './pods.ts';
import {
  addresses,
  allClusters,
  httpPort,
  labelsOf,
  metricsPort,
  ownCluster,
  type Process,
  sharedCluster,
} from './processes.ts';
import { hashOf, type Manifest, type Templated, unlessScaled, value } from './template.ts';

/** What runs a service or the gateway, and where the others find it. */
export function manifestsOf(process: Process): Manifest[] {
  const { name } = process;
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: { selector: labelsOf(name), ports: [{ name: 'http', port: httpPort, targetPort: 'http' }] },
  };
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: labelsOf(name) },
    },
  };
  return [{ object: deploymentOf(process) }, { object: service }, { object: budget }];
}

function deploymentOf({ name, key, script, hasData }: Process): Templated<Deployment> {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas: unlessScaled(`processes.${key}.replicas`),
      revisionHistoryLimit: 3,
      selector: { matchLabels: labelsOf(name) },
      // A new instance is ready before an old one stops.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: labelsOf(name),
          annotations: {
            'checksum/settings': hashOf('settings'),
            'checksum/traces': hashOf('traces'),
            ...(hasData && { 'checksum/pooler': hashOf('postgres.pooler.enabled') }),
          },
        },
        spec: {
          terminationGracePeriodSeconds: graceSeconds,
          topologySpreadConstraints: [
            spread(name, 'topology.kubernetes.io/zone'),
            spread(name, 'kubernetes.io/hostname'),
          ],
          ...podOf(name, {
            script,
            secret: `crm-${name}`,
            container: serving,
            resources: value(`processes.${key}.resources`),
            clusters: hasData ? [sharedCluster, ownCluster(name)] : [],
            also: ['crm-traces', ...(hasData ? [`crm-pooler-${name}`] : [])],
          }),
        },
      },
    },
  };
}

const spread = (name: string, topologyKey: string) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: labelsOf(name) },
  // A new version is spread on its own.
  matchLabelKeys: ['pod-template-hash'],
});

/** What every process is told that is not secret. */
export function settings(): Manifest[] {
  const configMap = (name: string, data: object) => ({
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: labelsOf('crm') }, data },
  });
  const own = {
    ...addresses,
    METRICS_HOST: '0.0.0.0',
    METRICS_PORT: String(metricsPort),
    NODE_EXTRA_CA_CERTS: '/run/authorities/nats.crt',
  };
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: value('traces.endpoint'),
    OTEL_TRACES_SAMPLER_ARG: value('traces.share'),
  };
  return [
    configMap('crm-addresses', own),
    configMap('crm-settings', value('settings')),
    { when: [{ path: 'traces.endpoint' }], ...configMap('crm-traces', traces) },
  ];
}

/**
 * Migrates all schemas before anything is replaced. The version that runs goes on meanwhile: a release only adds to a
 * schema. A hook is not part of the first installation, when services migrate as they start, because PostgreSQL is made
 * by the same installation.
 */
export function migrations(): Manifest[] {
  const name = 'migrations';
  const job: Templated<Job> = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      labels: labelsOf(name),
      annotations: {
        'helm.sh/hook': 'pre-upgrade',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      },
    },
    spec: {
      backoffLimit: 4,
      activeDeadlineSeconds: 1800,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          restartPolicy: 'Never',
          ...podOf(name, {
            script: ['crm/src/main.js', 'migrate'],
            secret: 'crm-migrations',
            container: { env: [{ name: 'CRM_DATA_DIR', value: '/tmp/crm' }] },
            resources: value('migrations.resources'),
            clusters: allClusters,
          }),
        },
      },
    },
  };
  return [{ when: [{ path: 'migrations.enabled' }], object: job }];
}
