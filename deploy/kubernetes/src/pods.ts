import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { httpPort, metricsPort } from './processes.ts';
import { type Templated, value } from './template.ts';

/**
 * Ours stops within 30 seconds of being asked to, which is longer than a provider takes to respond. Five seconds pass
 * before, in which the pod is taken out of its service.
 */
export const drainSeconds = 5;
export const graceSeconds = drainSeconds + 35;

interface PodOptions {
  readonly script: readonly string[];
  /** The Secret with its credentials. */
  readonly secret: string;
  readonly container?: Partial<Container>;
  readonly resources: Templated<Container['resources']>;
  readonly clusters: readonly string[];
  /** ConfigMaps that exist only with some values. */
  readonly also?: readonly string[];
}

/** A pod without rights: no root, no token of an account, nothing to write to but /tmp. */
export function podOf(name: string, options: PodOptions): Templated<PodSpec> {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    imagePullSecrets: value('imagePullSecrets'),
    priorityClassName: value('priorityClassName'),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [containerOf(name, options)],
    volumes: [
      { name: 'tmp', emptyDir: { sizeLimit: '256Mi' } },
      {
        name: 'authorities',
        projected: {
          // Of these Secrets only the certificates. One that does not exist is left out.
          sources: [
            authorityOf('nats-tls', 'nats.crt'),
            ...options.clusters.map((cluster) => authorityOf(`${cluster}-ca`, `${cluster}.crt`)),
          ],
        },
      },
    ],
  };
}

const authorityOf = (secret: string, path: string) => ({
  secret: { name: secret, optional: true, items: [{ key: 'ca.crt', path }] },
});

function containerOf(
  name: string,
  { script, secret, container, resources, also = [] }: PodOptions,
): Templated<Container> {
  return {
    name,
    image: value('image'),
    imagePullPolicy: value('imagePullPolicy'),
    args: [...script],
    // The last one wins.
    envFrom: [
      { configMapRef: { name: 'crm-addresses' } },
      { configMapRef: { name: 'crm-settings' } },
      ...also.map((one) => ({ configMapRef: { name: one, optional: true } })),
      { secretRef: { name: secret } },
    ],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    resources,
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'authorities', mountPath: '/run/authorities', readOnly: true },
    ],
    ...container,
  };
}

const check = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 3 });

/** What a process that serves requests has besides. */
export const serving: Partial<Container> = {
  ports: [
    { name: 'http', containerPort: httpPort },
    { name: 'metrics', containerPort: metricsPort },
  ],
  // A service opens its port when its database responds and its schema is migrated.
  startupProbe: { ...check('/healthz'), periodSeconds: 2, failureThreshold: 150 },
  livenessProbe: { ...check('/healthz'), periodSeconds: 10, failureThreshold: 6 },
  readinessProbe: { ...check('/readyz'), periodSeconds: 3, failureThreshold: 2 },
  lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
};
