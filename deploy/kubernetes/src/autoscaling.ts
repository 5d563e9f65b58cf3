import type { HorizontalPodAutoscaler, MetricSpec } from 'kubernetes-types/autoscaling/v2.js';
import { gateway, labelsOf, type Process, processes } from './processes.ts';
import { type Manifest, type Templated, value } from './template.ts';

const target = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

/** By the processor; by requests as well, if the metrics of Prometheus are offered to Kubernetes; or by KEDA. */
export function autoscaling(): Manifest[] {
  const cpu: Templated<MetricSpec> = {
    type: 'Resource',
    resource: {
      name: 'cpu',
      target: { type: 'Utilization', averageUtilization: value('autoscaling.cpuUtilization') },
    },
  };
  const requests: Templated<MetricSpec> = {
    type: 'Pods',
    pods: {
      metric: { name: 'crm_requests_per_second' },
      target: { type: 'AverageValue', averageValue: value('autoscaling.requestsPerSecond') },
    },
  };
  return processes.flatMap((process) => [
    { when: [{ path: 'autoscaling.kind', equals: 'cpu' }], object: byMetrics(process, [cpu]) },
    { when: [{ path: 'autoscaling.kind', equals: 'requests' }], object: byMetrics(process, [cpu, requests]) },
    { when: [{ path: 'autoscaling.kind', equals: 'keda' }], object: byKeda(process) },
  ]);
}

function byMetrics(
  { name, key }: Process,
  metrics: readonly Templated<MetricSpec>[],
): Templated<HorizontalPodAutoscaler> {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      scaleTargetRef: target(name),
      minReplicas: value(`processes.${key}.replicas`),
      maxReplicas: value(`processes.${key}.maxReplicas`),
      metrics,
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  };
}

/** The queues of messages that each service sends. */
export const queuesOf: Readonly<Record<string, readonly string[]>> = {
  identity: ['account-mail'],
  scheduling: ['communication', 'task-alert', 'text-notice'],
  'leads-routing': ['alert', 'lead-route-alert'],
};

function byKeda(process: Process) {
  const { name, key } = process;
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      scaleTargetRef: target(name),
      minReplicaCount: value(`processes.${key}.replicas`),
      maxReplicaCount: value(`processes.${key}.maxReplicas`),
      pollingInterval: 15,
      cooldownPeriod: 300,
      triggers: [
        {
          type: 'cpu',
          metricType: 'Utilization',
          metadata: { value: value('autoscaling.kedaCpuUtilization') },
        },
        ...queriesOf(process).map(({ query, threshold }) => ({
          type: 'prometheus',
          metricType: 'AverageValue',
          metadata: { serverAddress: value('autoscaling.prometheusUrl'), query, threshold: value(threshold) },
        })),
      ],
    },
  };
}

/**
 * All instances of a service report the same of what waits, so that the maximum counts. What cannot be read is NaN, and
 * left out.
 */
export function queriesOf({ name, hasData }: Process): readonly { query: string; threshold: string }[] {
  const requests =
    name === gateway.name
      ? 'sum(rate(http_server_request_duration_count[2m]))'
      : `sum(rate(rpc_server_call_duration_count{crm_service="${name}"}[2m]))`;
  const queues = queuesOf[name] ?? [];
  return [
    { query: requests, threshold: 'autoscaling.requestsPerSecond' },
    ...(hasData
      ? [
          {
            query: `sum(max by (crm_publisher) (crm_consumer_waiting{crm_service="${name}"}) >= 0)`,
            threshold: 'autoscaling.waitingEvents',
          },
        ]
      : []),
    ...(queues.length > 0
      ? [
          {
            query: `sum(max by (crm_queue, crm_lane) (crm_dispatch_due{crm_queue=~"${queues.join('|')}"}) >= 0)`,
            threshold: 'autoscaling.dueMessages',
          },
        ]
      : []),
  ];
}
