import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import {
  everything,
  output,
  processes,
  queriesOf,
  queuesOf,
  secretNames,
  services,
  valuesWith,
} from '@crm/kubernetes';
import { maxStopMs } from '@crm/service/process';
import { published } from '@crm/telemetry/testing';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { documentsIn, mapsOf, ofKind, Peers, pods, rendered } from './kubernetes/rendered.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const files = output();

/** What Go makes of the few expressions that the templates have. */
function evaluated(template: string, values: object): string {
  const found = (path: string) => path.split('.').reduce<unknown>((part, key) => Object(part)[key], values);
  const holds = (test: string) =>
    [...test.matchAll(/\.Values\.([\w.]+)(?: "(\w+)")?/g)].every(([, path = '', text]) => {
      const value = found(path);
      if (text !== undefined) return value === text;
      return value !== null && typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);
    });
  return template
    .replaceAll(/^\{\{- if (?:and )?([^\n]*) \}\}\n(.*?)^\{\{- end \}\}\n/gms, (_, test, text) =>
      holds(test) ? text : '',
    )
    .replaceAll(/\{\{ if (eq [^}]*) \}\}(.*?)\{\{ else \}\}(.*?)\{\{ end \}\}/g, (_, test, yes, no) =>
      holds(test) ? yes : no,
    )
    .replaceAll(/\{\{ toJson \.Values\.([\w.]+)( \| sha256sum)? \}\}/g, (_, path, hashed) => {
      const json = JSON.stringify(found(path), (_key, part) =>
        part && typeof part === 'object' && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).sort())
          : part,
      );
      return hashed ? hash('sha256', json) : json;
    });
}

describe('the chart', () => {
  it.each(Object.keys(files))('is what the sources give: %s', async (path) => {
    await expect(files[path]).toMatchFileSnapshot(`../deploy/kubernetes/${path}`);
  });

  it.each([
    ['rendered/crm.yaml', {}],
    ['rendered/everything.yaml', everything],
  ])('gives with its values what was rendered: %s', (path, changes) => {
    expect(parse(files['chart/values.yaml'] ?? '')).toEqual(valuesWith());
    const templates = Object.keys(files).filter(
      (name) => name.startsWith('chart/templates/') && !/migrations/.test(name),
    );
    const texts = templates.map((name) => evaluated(files[name] ?? '', valuesWith(changes)));
    for (const text of texts) expect(text).not.toContain('{{');
    // A field that is null is not set.
    const given = texts.map((text) => text.replaceAll(/^.*: null\n/gm, ''));
    expect(given.flatMap(documentsIn)).toEqual(documentsIn(files[path] ?? ''));
  });
});

describe('what is rendered', () => {
  const { kinds, definitions } = JSON.parse(read('deploy/kubernetes/schemas/kubernetes.json'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  const schemas = new Map(
    Object.entries(kinds).map(([kind, schema]) => [
      kind,
      () => ajv.compile({ ...Object(schema), definitions }),
    ]),
  );
  for (const [kind, file] of [
    ['barmancloud.cnpg.io/v1/ObjectStore', 'object-store'],
    ['postgresql.cnpg.io/v1/Pooler', 'pooler'],
  ] as const)
    schemas.set(kind, () => ajv.compile(JSON.parse(read(`deploy/kubernetes/schemas/${file}.json`))));

  it.each([...new Set(rendered.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`))])(
    'has only fields that exist, with values of their types: %s',
    (kind) => {
      const validate = schemas.get(kind)?.();
      expect(validate, `a schema of ${kind}`).toBeDefined();
      for (const { path, ...resource } of rendered) {
        if (`${resource.apiVersion}/${resource.kind}` !== kind) continue;
        validate?.(resource);
        expect(validate?.errors ?? [], `${path}: ${resource.metadata.name}`).toEqual([]);
      }
    },
  );

  it.each(pods)('runs an existing program without rights: %s', (_, pod) => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    });
    for (const { args } of pod.containers)
      if (args[0] !== '-e') expect(globSync(args[0] ?? '', { cwd: root.pathname })).toHaveLength(1);
  });

  it.each(pods.filter(([name]) => !/migrations|operator/.test(name)))(
    'lets it finish what it sends: %s',
    (_, pod) => {
      const [{ lifecycle } = {}] = pod.containers;
      const drainSeconds = lifecycle?.preStop.sleep.seconds ?? 0;
      expect(drainSeconds).toBeGreaterThan(0);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(maxStopMs / 1000 + drainSeconds);
    },
  );

  it('gives each process a Secret of its own, which a store can fill', () => {
    const used = pods.flatMap(([, { containers }]) =>
      containers.flatMap(({ envFrom }) => envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])),
    );
    const copied = ofKind('ExternalSecret').map(({ metadata }) => metadata.name);
    expect(copied).toEqual(secretNames.map((name) => `crm-${name}`));
    expect(copied).toEqual(expect.arrayContaining(used));
    for (const { path, metadata } of rendered.filter(({ kind }) => kind === 'Deployment')) {
      const [, pod] = pods.find(([name]) => name === `${path}: ${metadata.name}`) ?? [];
      expect(pod?.containers[0]?.envFrom.at(-1)?.secretRef?.name).toBe(`crm-${metadata.name}`);
    }
    expect(ofKind('Secret')).toEqual([]);
  });

  it('has a budget for each process, and scales it once', () => {
    const deployed = processes.map(({ name }) => name);
    const named = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name);
    expect(named('PodDisruptionBudget').sort()).toEqual([...deployed, ...named('Pooler')].sort());
    expect(named('ScaledObject').sort()).toEqual([...deployed].sort());
    expect(named('HorizontalPodAutoscaler')).toEqual([]);
  });

  it('lets through only the arrows of the architecture', () => {
    const table = [...read('ARCHITECTURE.md').matchAll(/^\| ([a-z-]+) \| ([^|]+) \| [^|]*\|$/gm)];
    const arrows = table.flatMap(([, from = '', to = '']) => {
      const called = to === 'all four' ? services.slice(0, 4).map(({ name }) => name) : to.split(', ');
      return services.some(({ name }) => name === from) && to !== 'no service'
        ? called.map((one) => `${from} → ${one}`)
        : [];
    });
    expect(arrows).toHaveLength(10);
    const fromGateway = services.map(({ name }) => `gateway → ${name}`);
    const policies = ofKind('NetworkPolicy', 'rendered/crm.yaml');
    const through = (direction: 'ingress' | 'egress', side: 'from' | 'to') =>
      processes.flatMap(({ name }) => {
        const spec = policies.find(({ metadata }) => metadata.name === name)?.spec?.[direction];
        const rules = z.array(z.looseObject({ [side]: Peers })).parse(spec);
        const named = rules.flatMap((rule) =>
          Peers.parse(rule[side]).flatMap(({ podSelector }) =>
            (podSelector?.matchExpressions ?? []).flatMap(({ key, values }) =>
              key.startsWith('app.') ? values : [],
            ),
          ),
        );
        const peers = named.filter((peer) => processes.some((one) => one.name === peer));
        return peers.map((peer) => (side === 'to' ? `${name} → ${peer}` : `${peer} → ${name}`));
      });
    expect(through('egress', 'to').sort()).toEqual([...arrows, ...fromGateway].sort());
    expect(through('ingress', 'from').sort()).toEqual([...arrows, ...fromGateway].sort());
  });

  it('has services use a pooler that shares sessions by transactions, and the server itself besides', () => {
    const poolers = ofKind('Pooler').map(({ metadata }) => metadata.name);
    expect(poolers.sort()).toEqual(services.map(({ name }) => `postgres-${name}-pooler`).sort());
    for (const { spec } of ofKind('Pooler'))
      expect(spec?.pgbouncer).toMatchObject({
        poolMode: 'transaction',
        parameters: { max_prepared_statements: expect.stringMatching(/^[1-9]/) },
      });
    for (const { name } of services) {
      const pooler = `postgres-${name}-pooler`;
      const map = `crm-pooler-${name}`;
      expect(mapsOf(name)).toContain(map);
      const { data } = Object(ofKind('ConfigMap').find(({ metadata }) => metadata.name === map));
      const { hostname, username, searchParams } = new URL(data.DATABASE_POOLER_URL);
      expect([hostname, username]).toEqual([pooler, '']);
      expect(searchParams.get('sslrootcert')).toBe(`/run/authorities/postgres-${name}.crt`);
      const cluster = ofKind('Cluster').find(({ metadata }) => metadata.name === `postgres-${name}`);
      expect(cluster?.spec?.certificates).toEqual({ serverAltDNSNames: [pooler] });
      for (const policy of [pooler, `to-${pooler}`, `from-${pooler}`])
        expect(ofKind('NetworkPolicy').map(({ metadata }) => metadata.name)).toContain(policy);
    }
    expect(ofKind('Pooler', 'rendered/crm.yaml')).toEqual([]);
  });

  it('lets processes reach the collector of traces that they are told of, and none otherwise', () => {
    const [collector] = ofKind('NetworkPolicy').filter(({ metadata }) => metadata.name === 'collector');
    const [traces] = ofKind('ConfigMap').filter(({ metadata }) => metadata.name === 'crm-traces');
    const endpoint = new URL(Object(traces).data.OTEL_EXPORTER_OTLP_ENDPOINT);
    expect(JSON.stringify(collector?.spec?.egress)).toContain(`"port":${endpoint.port}`);
    for (const { name } of processes) {
      expect(JSON.stringify(collector?.spec?.podSelector)).toContain(`"${name}"`);
      expect(mapsOf(name)).toContain('crm-traces');
    }
    const usual = rendered.filter(({ path }) => path === 'rendered/crm.yaml');
    for (const name of ['collector', 'crm-traces'])
      expect(usual.map(({ metadata }) => metadata.name)).not.toContain(name);
  });

  it('gives NATS the users of the services, and as many servers as store each event', () => {
    const nats = z
      .object({
        config: z.object({
          cluster: z.object({ replicas: z.number() }),
          jetstream: z.object({ merge: z.object({ sync_interval: z.string() }) }),
          merge: z.object({ $include: z.string() }),
        }),
        container: z.object({
          patch: z.array(z.object({ value: z.object({ name: z.string(), mountPath: z.string() }) })),
        }),
        podTemplate: z.object({
          patch: z.array(z.object({ value: z.object({ secret: z.object({ secretName: z.string() }) }) })),
        }),
      })
      .parse(parse(read('deploy/kubernetes/nats-values.yaml')));
    const { settings } = z.object({ settings: z.record(z.string(), z.string()) }).parse(valuesWith());
    expect(String(nats.config.cluster.replicas)).toBe(settings.NATS_REPLICAS);
    expect(nats.config.jetstream.merge.sync_interval).toBe('always');
    const [mount] = nats.container.patch;
    expect(`..${mount?.value.mountPath.replace('/etc', '')}/users.conf`).toBe(nats.config.merge.$include);
    const secrets = secretNames.map((name) => `crm-${name}`);
    expect(secrets).toContain(nats.podTemplate.patch[0]?.value.secret.secretName);
    for (const name of Object.keys(settings))
      expect(read('docs/operations/configure.md')).toContain(`\`${name}\``);
  });

  it('scales by metrics and queues that exist', () => {
    const known = published.flatMap(({ series }) => series);
    const queries = processes.flatMap((process) => queriesOf(process).map(({ query }) => query));
    for (const query of queries) {
      const names = query.replaceAll(/\{[^}]*\}|by \([^)]*\)/g, '').match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(known).toContain(name);
    }
    const sources = globSync('services/*/src/**/*dispatcher.ts', { cwd: root.pathname });
    const queues = sources.map((path) => [
      /services\/([\w-]+)/.exec(path)?.[1],
      /^ {2}name: '([\w-]+)'/m.exec(read(path))?.[1],
    ]);
    const byService = Object.entries(queuesOf).flatMap(([service, names]) =>
      names.map((name) => [service, name]),
    );
    expect(byService.sort()).toEqual(queues.sort());
  });
});
