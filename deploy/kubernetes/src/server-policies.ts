import type { NetworkPolicyPeer } from 'kubernetes-types/networking/v1.js';
import { namespace, nats, natsPort, pods, policy, postgresPort, tcp } from './policy.ts';
import { ownCluster, poolerOf, services, sharedCluster } from './processes.ts';
import type { Manifest } from './template.ts';

const serversOf = (cluster: string): NetworkPolicyPeer => ({
  podSelector: { matchLabels: { 'cnpg.io/cluster': cluster } },
});

/** Who reaches PostgreSQL and NATS, which their own charts leave open. */
export function servers(): Manifest[] {
  const users = services.map(({ name }) => name);
  const databaseOf = (cluster: string, names: readonly string[]) =>
    policy(cluster, serversOf(cluster), {
      ingress: [
        { from: [pods(...names, 'migrations', 'operator')], ports: tcp(postgresPort) },
        { from: [serversOf(cluster)], ports: tcp(postgresPort, 8000) },
        { from: [namespace('networkPolicies.postgresOperatorNamespace')], ports: tcp(postgresPort, 8000) },
        { from: [namespace('networkPolicies.prometheusNamespace')], ports: tcp(9187) },
      ],
    });
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

/** Services reach PgBouncer, and PgBouncer the cluster behind it. */
export function poolers(): Manifest[] {
  const users = services.map(({ name }) => name);
  const poolerFor = (cluster: string, names: readonly string[], layout: string): Manifest[] => {
    const name = poolerOf(cluster);
    const pooler: NetworkPolicyPeer = { podSelector: { matchLabels: { 'cnpg.io/poolerName': name } } };
    const also = [{ path: 'postgres.pooler.enabled' }, { path: 'postgres.layout', equals: layout }];
    const ingress = [
      { from: [pods(...names)], ports: tcp(postgresPort) },
      { from: [namespace('networkPolicies.prometheusNamespace')], ports: tcp(9127) },
    ];
    const ports = tcp(postgresPort);
    return [
      policy(name, pooler, { ingress }, also),
      policy(`to-${name}`, pods(...names), { egress: [{ to: [pooler], ports }] }, also),
      policy(`from-${name}`, serversOf(cluster), { ingress: [{ from: [pooler], ports }] }, also),
    ];
  };
  return [
    ...poolerFor(sharedCluster, users, 'shared'),
    ...users.flatMap((name) => poolerFor(ownCluster(name), [name], 'perService')),
  ];
}
