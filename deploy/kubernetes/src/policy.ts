import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
} from 'kubernetes-types/networking/v1.js';
import { labelsOf, ownCluster, sharedCluster } from './processes.ts';
import { type Condition, type Manifest, type Templated, value } from './template.ts';

export const postgresPort = 5432;
export const natsPort = 4222;
const when: readonly Condition[] = [{ path: 'networkPolicies.enabled' }];

interface Rules {
  readonly ingress?: Templated<readonly NetworkPolicyIngressRule[]>;
  readonly egress?: Templated<readonly NetworkPolicyEgressRule[]>;
}

export const pods = (...names: readonly string[]): NetworkPolicyPeer => ({
  podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...names] }] },
});
export const nats = pods('nats');
export const clustersOf = (names: readonly string[]): NetworkPolicyPeer => ({
  podSelector: {
    matchExpressions: [
      { key: 'cnpg.io/cluster', operator: 'In', values: [sharedCluster, ...names.map(ownCluster)] },
    ],
  },
});
export const namespace = (path: string): Templated<NetworkPolicyPeer> => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': value(path) } },
});
export const tcp = (...ports: readonly number[]) => ports.map((port) => ({ protocol: 'TCP', port }));

export function policy(
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
