import { readdirSync, readFileSync } from 'node:fs';
import { published } from '@crm/telemetry/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = Rules.parse(parse(read('deploy/observability/alerts.yml'))).groups.flatMap(
  ({ rules }) => rules,
);

const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const dashboards = readdirSync(new URL('deploy/observability/dashboards', root)).map((file) =>
  Dashboard.parse(JSON.parse(read(`deploy/observability/dashboards/${file}`))),
);

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({ profiles: z.array(z.string()).default([]), volumes: z.array(z.string()).default([]) }),
  ),
});
const Receivers = z.object({
  otlp: z.object({ protocols: z.object({ http: z.object({ endpoint: z.string() }) }) }),
});
const names = z.array(z.string());
const Collector = z.object({
  receivers: Receivers,
  processors: z.record(z.string(), z.unknown()),
  exporters: z.record(z.string(), z.object({ endpoint: z.string() })),
  service: z.object({
    pipelines: z.record(z.string(), z.object({ receivers: names, processors: names, exporters: names })),
  }),
});
const Tempo = z.object({
  server: z.object({ http_listen_port: z.int() }),
  distributor: z.object({ receivers: Receivers }),
  storage: z.object({
    trace: z.object({ local: z.record(z.string(), z.string()), wal: z.object({ path: z.string() }) }),
  }),
});
const Sources = z.object({ datasources: z.array(z.object({ url: z.string() })) });

const queries = [
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [`${uid}: ${title}`, expr] as const)),
  ),
];

/** Prometheus itself knows whether it reaches a process, and the configuration names the process. */
const labelsOf = new Map<string, readonly string[]>([
  ['up', []],
  ...published.flatMap(({ series, labels }) => series.map((name) => [name, labels] as const)),
]);
const ofPrometheus = ['le', 'process', 'instance', 'job'];

describe('monitoring', () => {
  it.each(queries)('asks only for metrics and labels that exist: %s', (_, query) => {
    const bare = query
      .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, '')
      .replaceAll(/\b(by|on) *\([^)]*\)/g, '');
    const names = bare.match(/\b[a-z]\w*_\w+\b|\bup\b/g)?.filter((name) => !functions.includes(name)) ?? [];
    expect(names).not.toEqual([]);
    for (const name of names) expect([...labelsOf.keys()]).toContain(name);
    const known = new Set([...names.flatMap((name) => labelsOf.get(name) ?? []), ...ofPrometheus]);
    const grouped = [...query.matchAll(/\b(?:by|on) *\(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(/, */),
    );
    const selected = [...query.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, name = '']) => name);
    for (const label of [...grouped, ...selected]) expect([...known]).toContain(label);
  });

  it('sends spans to where traces are stored, and reads them there', () => {
    const containers = Compose.parse(parse(read('docker-compose.yml'))).services;
    const collector = Collector.parse(parse(read('deploy/observability/collector.yml')));
    const tempo = Tempo.parse(parse(read('deploy/observability/tempo.yml')));
    const sources = Sources.parse(parse(read('deploy/observability/grafana-datasource.yml'))).datasources;
    for (const { receivers, processors, exporters } of Object.values(collector.service.pipelines)) {
      expect(Object.keys(collector.receivers)).toEqual(receivers);
      expect(Object.keys(collector.processors)).toEqual(processors);
      expect(Object.keys(collector.exporters)).toEqual(exporters);
    }
    const [stored] = Object.values(collector.exporters);
    const received = tempo.distributor.receivers.otlp.protocols.http.endpoint;
    expect(stored?.endpoint).toBe(`http://tempo:${received.split(':')[1]}`);
    expect(sources.map(({ url }) => url)).toContain(`http://tempo:${tempo.server.http_listen_port}`);
    for (const name of ['prometheus', 'tempo', 'collector'])
      expect(containers[name]?.profiles).toEqual(['observability']);
    const folders = Object.values(tempo.storage.trace.local).concat(tempo.storage.trace.wal.path);
    for (const folder of folders) expect(folder).toMatch(/^\/var\/tempo\//);
    expect(containers.tempo?.volumes).toContain('tempo:/var/tempo');
    expect(read('docker-compose.yml')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318');
    expect(collector.receivers.otlp.protocols.http.endpoint).toBe('0.0.0.0:4318');
  });

  it('says what to do for each alert', () => {
    const headings =
      read('docs/monitoring.md')
        .match(/^### .+$/gm)
        ?.map((line) => line.slice(4)) ?? [];
    expect(headings.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of alerts)
      expect(annotations.runbook).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
  });

  it('documents each metric', async () => {
    const rows = published.map(({ name, description, labels }) => {
      const listed = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${description} | ${listed} |`;
    });
    const text = [
      '# Metrics',
      '',
      'What each process serves at `/metrics`; see [monitoring.md](monitoring.md). Names are as Prometheus keeps them; durations are',
      'histograms in seconds with `_bucket`, `_count` and `_sum`. This list is generated: `npx vitest run test/monitoring.test.ts -u`.',
      '',
      '| Metric | Meaning | Labels |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n');
    await expect(text).toMatchFileSnapshot('../docs/metrics.md');
  });
});

const functions = ['histogram_quantile', 'min_over_time'];
