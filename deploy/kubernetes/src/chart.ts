import { autoscaling } from './autoscaling.ts';
import { localCarriers } from './local-carriers.ts';
import { networkPolicies } from './network-policies.ts';
import { externalSecrets, ingress, operator, podMonitor } from './outside.ts';
import { postgres } from './postgres.ts';
import { processes } from './processes.ts';
import { chartFile, type Manifest, rendered, yamlOf } from './template.ts';
import { valuesWith } from './values.ts';
import { valuesDocument, valuesFile } from './values-file.ts';
import { manifestsOf, migrations, settings } from './workloads.ts';

/** The manifests of each file of the chart. */
const files: Readonly<Record<string, readonly Manifest[]>> = {
  settings: settings(),
  ...Object.fromEntries(processes.map((process) => [process.name, manifestsOf(process)])),
  migrations: migrations(),
  operator: operator(),
  'local-carriers': localCarriers(),
  autoscaling: autoscaling(),
  ingress: ingress(),
  'network-policies': networkPolicies(),
  postgres: postgres(),
  'external-secrets': externalSecrets(),
  'pod-monitor': podMonitor(),
};

const chart = {
  apiVersion: 'v2',
  name: 'crm',
  description: 'A customer-relationship-management back end for real-estate agents, brokers and teams',
  type: 'application',
  version: '0.0.0',
  appVersion: '0.0.0',
  kubeVersion: '>=1.30.0-0',
};

/** Values that turn on everything, so that all templates are rendered and checked. */
export const everything = {
  'autoscaling.kind': 'keda',
  'postgres.layout': 'perService',
  'postgres.backup.enabled': true,
  'externalSecrets.enabled': true,
  'podMonitor.enabled': true,
  'postgres.pooler.enabled': true,
  'traces.endpoint': 'http://collector.monitoring:4318',
  'localCarriers.enabled': true,
  'networkPolicies.clients': [{ podSelector: { matchLabels: { app: 'reports' } } }],
};

const comment = '# Generated; see deploy/kubernetes/README.md.\n';
const documents = (objects: readonly object[]) =>
  comment + objects.map((object) => `---\n${yamlOf(object)}`).join('');

/** What is committed, by path in deploy/kubernetes. */
export function output(): Record<string, string> {
  const templates = Object.entries(files).map(([name, manifests]) => [
    `chart/templates/${name}.yaml`,
    chartFile(manifests),
  ]);
  const { migrations: job = [], ...others } = files;
  const all = Object.values(others).flat();
  return {
    'chart/Chart.yaml': comment + yamlOf(chart),
    'chart/values.yaml': valuesFile(),
    'chart/README.md': valuesDocument(),
    ...Object.fromEntries(templates),
    'rendered/crm.yaml': documents(rendered(all, valuesWith())),
    'rendered/migrations.yaml': documents(rendered(job, valuesWith())),
    'rendered/everything.yaml': documents(rendered(all, valuesWith(everything))),
  };
}
