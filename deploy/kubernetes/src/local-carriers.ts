import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Service } from 'kubernetes-types/core/v1.js';
import { drainSeconds, graceSeconds, podOf } from './pods.ts';
import { httpPort, labelsOf, mailPort } from './processes.ts';
import { type Manifest, type Templated, value } from './template.ts';

/** A mail server and a carrier that reach nobody, for trials. One instance: it keeps its messages in memory. */
export function localCarriers(): Manifest[] {
  const when = [{ path: 'localCarriers.enabled' }];
  return [deployment(), service].map((object) => ({ when, object }));
}

const name = 'carriers';

function deployment(): Templated<Deployment> {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: labelsOf(name) },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labelsOf(name) },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          terminationGracePeriodSeconds: graceSeconds,
          ...podOf(name, {
            script: ['crm/src/main.js', 'deployment', 'carriers'],
            secret: 'crm-carriers',
            container: {
              ports: [
                { name: 'http', containerPort: httpPort },
                { name: 'smtp', containerPort: mailPort },
              ],
              env: [
                { name: 'SMTP_PORT', value: String(mailPort) },
                { name: 'GATEWAY_URL', value: `http://gateway:${httpPort}` },
              ],
              readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 5 },
              lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
            },
            resources: value('localCarriers.resources'),
            clusters: [],
          }),
        },
      },
    },
  };
}

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: labelsOf(name) },
  spec: {
    selector: labelsOf(name),
    ports: [
      { name: 'http', port: httpPort, targetPort: 'http' },
      { name: 'smtp', port: mailPort, targetPort: 'smtp' },
    ],
  },
};
