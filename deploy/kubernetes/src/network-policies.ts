import type { NetworkPolicyIngressRule, NetworkPolicyPeer } from 'kubernetes-types/networking/v1.js';
import { clustersOf, namespace, nats, natsPort, pods, policy, postgresPort, tcp } from './policy.ts';
import { gateway, httpPort, mailPort, metricsPort, type Process, processes, services } from './processes.ts';
import { poolers, servers } from './server-policies.ts';
import { type Manifest, type Templated, value } from './template.ts';

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
    collector(),
    clients(),
    ...servers(),
    ...poolers(),
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

/** What takes the traces of all processes. */
const collector = () =>
  policy('collector', pods(...processes.map(({ name }) => name)), { egress: value('traces.egress') }, [
    { path: 'traces.endpoint' },
  ]);

/** Other programs that call services by tRPC. An empty list must not become a rule: it would admit everybody. */
const clients = () =>
  policy(
    'clients',
    pods(...services.map(({ name }) => name)),
    { ingress: [{ from: value('networkPolicies.clients'), ports: tcp(httpPort) }] },
    [{ path: 'networkPolicies.clients' }],
  );
