import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
} from 'kubernetes-types/networking/v1.js';
import {
  gateway,
  httpPort,
  labelsOf,
  mailPort,
  metricsPort,
  ownCluster,
  type Process,
  processes,
  services,
  sharedCluster,
} from './processes.ts';
import { type Condition, type Manifest, type Templated, value } from './template.ts';

const postgresPort = 5432;
const natsPort = 4222;
const when: readonly Condition[] = [{ path: 'networkPolicies.enabled' }];

interface Rules {
  readonly ingress?: Templated<readonly NetworkPolicyIngressRule[]>;
  readonly egress?: Templated<readonly NetworkPolicyEgressRule[]>;
}

const pods = (...names: readonly string[]): NetworkPolicyPeer => ({
  podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...names] }] },
});
const nats = pods('nats');
const clustersOf = (names: readonly string[]): NetworkPolicyPeer => ({
  podSelector: {
    matchExpressions: [
      { key: 'cnpg.io/cluster', operator: 'In', values: [sharedCluster, ...names.map(ownCluster)] },
    ],
  },
});
const namespace = (path: string): Templated<NetworkPolicyPeer> => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': value(path) } },
});
const tcp = (...ports: readonly number[]) => ports.map((port) => ({ protocol: 'TCP', port }));

function policy(
  name: string,
  selected: NetworkPolicyPeer,
  rules: Rules,
  also: readonly Condition[] = [],
): Manifest {
  const object: Templated<NetworkPolicy> = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      podSelector: selected.podSelector ?? {},
      policyTypes: [...(rules.ingress ? ['Ingress'] : []), ...(rules.egress ? ['Egress'] : [])],
      ...rules,
    },
  };
  return { when: [...when, ...also], object };
}

/** Only what ARCHITECTURE.md draws: nothing reaches a pod, and a pod reaches nothing, that is not named here. */
export function networkPolicies(): Manifest[] {
  const ours: NetworkPolicyPeer = {
    podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'crm' } },
  };
  return [
    policy('crm', ours, { ingress: [metricsRule()], egress: [nameServer()] }),
    ...processes.map(ofProcess),
    ...operations(),
    ...carriers(),
    providers(),
    sharedCounters(),
    clients(),
    ...servers(),
  ];
}

const nameServer = () => ({
  to: [namespace('networkPolicies.dnsNamespace')],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
});

const metricsRule = (): Templated<NetworkPolicyIngressRule> => ({
  from: [namespace('networkPolicies.prometheusNamespace')],
  ports: tcp(metricsPort),
});

function ofProcess({ name, calls, hasData }: Process): Manifest {
  const callers = processes.filter((other) => other.calls.includes(name)).map((other) => other.name);
  const from =
    name === gateway.name
      ? [namespace('networkPolicies.ingressNamespace'), pods('operator', 'carriers')]
      : [pods(...callers, 'operator')];
  return policy(name, pods(name), {
    ingress: [{ from, ports: tcp(httpPort) }],
    egress: [
      ...(calls.length > 0 ? [{ to: [pods(...calls)], ports: tcp(httpPort) }] : []),
      ...(hasData
        ? [
            { to: [clustersOf([name])], ports: tcp(postgresPort) },
            { to: [nats], ports: tcp(natsPort) },
          ]
        : []),
    ],
  });
}

/** The crm command and the job that migrates. */
function operations(): Manifest[] {
  const data = { to: [clustersOf(services.map(({ name }) => name))], ports: tcp(postgresPort) };
  return [
    policy('migrations', pods('migrations'), { egress: [data] }),
    policy('operator', pods('operator'), {
      egress: [
        { to: [pods(...processes.map(({ name }) => name))], ports: tcp(httpPort) },
        { to: [nats], ports: tcp(natsPort) },
        data,
      ],
    }),
  ];
}

const senders = services.filter(({ sends }) => sends).map(({ name }) => name);

function carriers(): Manifest[] {
  const enabled = [{ path: 'localCarriers.enabled' }];
  const ports = tcp(httpPort, mailPort);
  return [
    policy(
      'carriers',
      pods('carriers'),
      {
        ingress: [{ from: [pods(...senders)], ports }],
        egress: [{ to: [pods(gateway.name)], ports: tcp(httpPort) }],
      },
      enabled,
    ),
    policy('to-carriers', pods(...senders), { egress: [{ to: [pods('carriers')], ports }] }, enabled),
  ];
}

const providers = () => policy('providers', pods(...senders), { egress: value('networkPolicies.providers') });

/** What gateways count requests in together. */
const sharedCounters = () =>
  policy('shared-counters', pods(gateway.name), { egress: value('networkPolicies.gateway') });

/** Other programs that call services by tRPC. An empty list must not become a rule: it would admit everybody. */
const clients = () =>
  policy(
    'clients',
    pods(...services.map(({ name }) => name)),
    { ingress: [{ from: value('networkPolicies.clients'), ports: tcp(httpPort) }] },
    [{ path: 'networkPolicies.clients' }],
  );

/** Who reaches PostgreSQL and NATS, which their own charts leave open. */
function servers(): Manifest[] {
  const users = services.map(({ name }) => name);
  const databaseOf = (cluster: string, names: readonly string[]) =>
    policy(
      cluster,
      { podSelector: { matchLabels: { 'cnpg.io/cluster': cluster } } },
      {
        ingress: [
          { from: [pods(...names, 'migrations', 'operator')], ports: tcp(postgresPort) },
          {
            from: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': cluster } } }],
            ports: tcp(postgresPort, 8000),
          },
          { from: [namespace('networkPolicies.postgresOperatorNamespace')], ports: tcp(postgresPort, 8000) },
          { from: [namespace('networkPolicies.prometheusNamespace')], ports: tcp(9187) },
        ],
      },
    );
  return [
    databaseOf(sharedCluster, users),
    ...users.map((name) => databaseOf(ownCluster(name), [name])),
    policy('nats', nats, {
      ingress: [
        { from: [pods(...users, 'operator')], ports: tcp(natsPort) },
        { from: [nats], ports: tcp(natsPort, 6222) },
        { from: [namespace('networkPolicies.prometheusNamespace')], ports: tcp(7777) },
      ],
    }),
  ];
}
