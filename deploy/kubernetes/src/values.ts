import type { Described } from './described.ts';
import { postgresValues } from './postgres-values.ts';
import { type Process, processes } from './processes.ts';
import type { Values } from './template.ts';

const valuesOf = ({ name, key, requests, memoryLimit }: Process): Described[] => [
  {
    path: `processes.${key}.replicas`,
    value: 2,
    meaning: `instances of ${name}, or the fewest if they are scaled`,
  },
  { path: `processes.${key}.maxReplicas`, value: 6, meaning: 'the most, if they are scaled' },
  {
    path: `processes.${key}.resources`,
    value: { requests, limits: { memory: memoryLimit } },
    meaning: 'without a processor limit, which would only slow it down',
  },
];

const small = { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } };

/** Everything outside of the cluster, but nothing inside of it or of its machines. */
const providers = [
  {
    to: [
      {
        ipBlock: {
          cidr: '0.0.0.0/0',
          except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
        },
      },
    ],
    ports: [443, 465, 587].map((port) => ({ protocol: 'TCP', port })),
  },
];

/** A collector that takes OTLP over HTTP, in a namespace that others use, too. */
const collector = [
  {
    to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    ports: [{ protocol: 'TCP', port: 4318 }],
  },
];

/** Every value of the chart, in the order of its file. */
export const described: readonly Described[] = [
  {
    path: 'image',
    value: 'crm:0.0.0',
    meaning: 'the image of all our processes, built from the Dockerfile',
  },
  { path: 'imagePullPolicy', value: 'IfNotPresent', meaning: 'when nodes pull the image' },
  { path: 'imagePullSecrets', value: [], meaning: 'names of Secrets for a private registry' },
  { path: 'priorityClassName', value: '', meaning: 'the priority of our pods' },
  {
    path: 'settings',
    value: {
      PUBLIC_URL: 'https://crm.example.com',
      TRUSTED_PROXIES: '10.0.0.0/8',
      NATS_REPLICAS: '3',
      LOG_LEVEL: 'info',
      AUDIT_DAYS: '400',
    },
    meaning: 'environment variables without secrets, for all processes; see docs/operations/configure.md',
  },
  ...processes.flatMap(valuesOf),
  { path: 'autoscaling.kind', value: 'none', meaning: '`none`, `cpu`, `requests` or `keda`' },
  {
    path: 'autoscaling.cpuUtilization',
    value: 70,
    meaning: 'percent of the requested processor, for `cpu` and `requests`',
  },
  { path: 'autoscaling.kedaCpuUtilization', value: '70', meaning: 'the same for `keda`' },
  {
    path: 'autoscaling.requestsPerSecond',
    value: '100',
    meaning: 'requests per second for each instance, for `requests` and `keda`',
  },
  {
    path: 'autoscaling.waitingEvents',
    value: '500',
    meaning: 'waiting events for each instance, for `keda`',
  },
  {
    path: 'autoscaling.dueMessages',
    value: '200',
    meaning: 'due messages for each instance, for `keda`',
  },
  {
    path: 'autoscaling.prometheusUrl',
    value: 'http://prometheus.monitoring:9090',
    meaning: 'the Prometheus that KEDA queries',
  },
  { path: 'ingress.enabled', value: true, meaning: 'whether clients connect through an Ingress' },
  { path: 'ingress.className', value: 'nginx', meaning: 'its controller' },
  { path: 'ingress.host', value: 'crm.example.com', meaning: 'the host of PUBLIC_URL' },
  { path: 'ingress.tlsSecret', value: 'crm-tls', meaning: 'the Secret with its certificate' },
  { path: 'ingress.annotations', value: {}, meaning: 'for example the issuer of cert-manager' },
  { path: 'networkPolicies.enabled', value: true, meaning: 'whether pods reach only what they need' },
  {
    path: 'networkPolicies.ingressNamespace',
    value: 'ingress-nginx',
    meaning: 'where the controller of the Ingress runs',
  },
  { path: 'networkPolicies.prometheusNamespace', value: 'monitoring', meaning: 'who may read metrics' },
  { path: 'networkPolicies.dnsNamespace', value: 'kube-system', meaning: 'where names are resolved' },
  {
    path: 'networkPolicies.postgresOperatorNamespace',
    value: 'cnpg-system',
    meaning: 'where CloudNativePG runs',
  },
  {
    path: 'networkPolicies.providers',
    value: providers,
    meaning: 'egress rules for the mail server and the carrier',
  },
  { path: 'networkPolicies.gateway', value: [], meaning: 'egress rules for the server of RATE_LIMIT_URL' },
  {
    path: 'networkPolicies.clients',
    value: [],
    meaning: 'other programs that call services over tRPC, as peers of a network policy',
  },
  ...postgresValues,
  {
    path: 'migrations.enabled',
    value: true,
    meaning: 'whether an upgrade migrates the schemas before it replaces anything',
  },
  { path: 'migrations.resources', value: small, meaning: 'of the job' },
  { path: 'operator.replicas', value: 0, meaning: '1 while somebody uses the crm command' },
  { path: 'operator.resources', value: small, meaning: 'of its pod' },
  {
    path: 'localCarriers.enabled',
    value: false,
    meaning: 'a mail server and a carrier that deliver to nobody, for trials',
  },
  { path: 'localCarriers.resources', value: small, meaning: 'of their pod' },
  {
    path: 'externalSecrets.enabled',
    value: false,
    meaning: 'whether External Secrets copies the Secrets from a store',
  },
  { path: 'externalSecrets.store', value: { name: 'crm', kind: 'SecretStore' }, meaning: 'that store' },
  { path: 'externalSecrets.refreshInterval', value: '1h', meaning: 'how often it copies them' },
  {
    path: 'traces.endpoint',
    value: '',
    meaning:
      'a collector that takes traces as OTLP over HTTP, such as http://collector.monitoring:4318; empty for none',
  },
  { path: 'traces.share', value: '0.05', meaning: 'the share of the traces that are recorded' },
  { path: 'traces.egress', value: collector, meaning: 'egress rules for the collector' },
  { path: 'podMonitor.enabled', value: false, meaning: 'whether the Prometheus operator finds the metrics' },
  { path: 'podMonitor.labels', value: {}, meaning: 'the labels that the operator looks for' },
];

/** The values, with changes by path. */
export function valuesWith(changes: Values = {}): Values {
  const values = {};
  for (const { path, value } of described)
    put(values, path.split('.'), path in changes ? changes[path] : value);
  return values;
}

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) target[key] ??= {};
  if (rest.length === 0) target[key] = value;
  else put(target[key] as Record<string, unknown>, rest, value);
}
