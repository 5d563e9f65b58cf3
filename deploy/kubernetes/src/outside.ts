import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Ingress } from 'kubernetes-types/networking/v1.js';
import { podOf } from './pods.ts';
import { allClusters, gateway, labelsOf, processes, services } from './processes.ts';
import { type Manifest, type Templated, value } from './template.ts';

/** The way in for clients, over TLS. */
export function ingress(): Manifest[] {
  const object: Templated<Ingress> = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'crm', labels: labelsOf('crm'), annotations: value('ingress.annotations') },
    spec: {
      ingressClassName: value('ingress.className'),
      tls: [{ hosts: [value('ingress.host')], secretName: value('ingress.tlsSecret') }],
      rules: [
        {
          host: value('ingress.host'),
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: gateway.name, port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    },
  };
  return [{ when: [{ path: 'ingress.enabled' }], object }];
}

/** Secrets that the chart expects, by the names of their owners in the store. */
export const secretNames: readonly string[] = [
  ...processes.map(({ name }) => name),
  ...['carriers', 'operator', 'migrations', 'nats-users'],
  ...services.map(({ name }) => `role-${name}`),
];

/** What External Secrets copies from a store, one Secret for each process. */
export function externalSecrets(): Manifest[] {
  return secretNames.map((name) => ({
    when: [{ path: 'externalSecrets.enabled' }],
    object: {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: `crm-${name}`, labels: labelsOf(name) },
      spec: {
        refreshInterval: value('externalSecrets.refreshInterval'),
        secretStoreRef: value('externalSecrets.store'),
        target: { name: `crm-${name}`, creationPolicy: 'Owner' },
        dataFrom: [{ extract: { key: `crm/${name}` } }],
      },
    },
  }));
}

/** What Prometheus reads, with the labels that the alerts and dashboards ask for. */
export function podMonitor(): Manifest[] {
  const object = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'crm', labels: value('podMonitor.labels') },
    spec: {
      selector: { matchLabels: { 'app.kubernetes.io/part-of': 'crm' } },
      podMetricsEndpoints: [
        {
          port: 'metrics',
          interval: '15s',
          relabelings: [
            { targetLabel: 'job', replacement: 'crm' },
            { sourceLabels: ['__meta_kubernetes_pod_label_app_kubernetes_io_name'], targetLabel: 'process' },
          ],
        },
      ],
    },
  };
  return [{ when: [{ path: 'podMonitor.enabled' }], object }];
}

/** A pod for the crm command: `kubectl exec -it deploy/operator -- node crm/src/main.js doctor`. */
export function operator(): Manifest[] {
  const name = 'operator';
  const waiting = 'process.on("SIGTERM", () => process.exit()); setInterval(() => {}, 1e9)';
  const object: Templated<Deployment> = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas: value('operator.replicas'),
      selector: { matchLabels: labelsOf(name) },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: podOf(name, {
          script: ['-e', waiting],
          secret: 'crm-operator',
          container: {
            env: [
              { name: 'CRM_URL', value: 'http://gateway:3000' },
              { name: 'CRM_DATA_DIR', value: '/tmp/crm' },
            ],
          },
          resources: value('operator.resources'),
          clusters: allClusters,
        }),
      },
    },
  };
  return [{ object }];
}
