import { readdirSync, readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@crm/service/process';
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
const Operator = z.looseObject({ type: z.string() });
const Filelog = z.object({
  include: z.array(z.string()),
  storage: z.string(),
  operators: z.array(Operator),
});
const From = z.object({ parse_from: z.string() });
const Parser = z.object({
  severity: From.extend({ mapping: z.record(z.string(), z.number()) }),
  trace: z.object({ trace_id: From, span_id: From }),
});
const names = z.array(z.string());
const Collector = z.object({
  extensions: z.record(z.string(), z.object({ directory: z.string() })),
  receivers: Receivers.extend({ filelog: Filelog }),
  processors: z.record(z.string(), z.unknown()),
  exporters: z.record(z.string(), z.object({ endpoint: z.string() })),
  service: z.object({
    extensions: names,
    pipelines: z.record(z.string(), z.object({ receivers: names, processors: names, exporters: names })),
  }),
});
const collector = Collector.parse(parse(read('deploy/observability/collector.yml')));
const containers = Compose.parse(parse(read('docker-compose.yml'))).services;
const Loki = z.object({
  server: z.object({ http_listen_port: z.int() }),
  common: z.object({
    path_prefix: z.string(),
    storage: z.object({ filesystem: z.record(z.string(), z.string()) }),
  }),
  schema_config: z.object({ configs: z.array(z.object({ store: z.string(), schema: z.string() })) }),
  limits_config: z.object({ allow_structured_metadata: z.boolean() }),
  compactor: z.object({ working_directory: z.string() }),
});
const Tempo = z.object({
  server: z.object({ http_listen_port: z.int() }),
  distributor: z.object({ receivers: Receivers }),
  storage: z.object({
    trace: z.object({ local: z.record(z.string(), z.string()), wal: z.object({ path: z.string() }) }),
  }),
});
const Sources = z.object({
  datasources: z.array(
    z.object({ uid: z.string(), url: z.string(), jsonData: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
const sources = Sources.parse(parse(read('deploy/observability/grafana-datasource.yml'))).datasources;

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
    const tempo = Tempo.parse(parse(read('deploy/observability/tempo.yml')));
    const { pipelines, extensions } = collector.service;
    const used = (part: 'receivers' | 'processors' | 'exporters') =>
      [...new Set(Object.values(pipelines).flatMap((pipeline) => pipeline[part]))].sort();
    expect(used('receivers')).toEqual(Object.keys(collector.receivers).sort());
    expect(used('processors')).toEqual(Object.keys(collector.processors).sort());
    expect(used('exporters')).toEqual(Object.keys(collector.exporters).sort());
    expect(extensions).toEqual(Object.keys(collector.extensions));
    expect(pipelines.traces).toMatchObject({ receivers: ['otlp'], exporters: ['otlphttp/tempo'] });
    const received = tempo.distributor.receivers.otlp.protocols.http.endpoint;
    expect(collector.exporters['otlphttp/tempo']?.endpoint).toBe(`http://tempo:${received.split(':')[1]}`);
    expect(sources.map(({ url }) => url)).toContain(`http://tempo:${tempo.server.http_listen_port}`);
    for (const name of ['prometheus', 'tempo', 'loki', 'collector'])
      expect(containers[name]?.profiles).toEqual(['observability']);
    const folders = Object.values(tempo.storage.trace.local).concat(tempo.storage.trace.wal.path);
    for (const folder of folders) expect(folder).toMatch(/^\/var\/tempo\//);
    expect(containers.tempo?.volumes).toContain('tempo:/var/tempo');
    expect(read('docker-compose.yml')).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318');
    expect(collector.receivers.otlp.protocols.http.endpoint).toBe('0.0.0.0:4318');
  });

  it('stores the lines of the log by their service, and leads from each to its trace', async () => {
    const loki = Loki.parse(parse(read('deploy/observability/loki.yml')));
    const { filelog } = collector.receivers;
    expect(collector.service.pipelines.logs).toMatchObject({
      receivers: ['filelog'],
      exporters: ['otlphttp/loki'],
    });
    const address = `http://loki:${loki.server.http_listen_port}`;
    expect(collector.exporters['otlphttp/loki']?.endpoint).toBe(`${address}/otlp`);
    expect(sources).toContainEqual(expect.objectContaining({ uid: 'loki', url: address }));
    const folders = [
      ...Object.values(loki.common.storage.filesystem),
      loki.common.path_prefix,
      loki.compactor.working_directory,
    ];
    for (const folder of folders) expect(folder).toMatch(/^\/loki(\/|$)/);
    expect(containers.loki?.volumes).toContain('loki:/loki');
    const [folder] = filelog.include.map((pattern) => pattern.split('/*')[0]);
    expect(containers.collector?.volumes).toContain(`${folder}:${folder}:ro`);
    const position = collector.extensions[filelog.storage]?.directory;
    expect(containers.collector?.volumes).toContain(`collector:${position}`);
    // Loki keeps the id of a line that has one as structured metadata of this name.
    const links = sources.flatMap(({ jsonData: { derivedFields, tracesToLogsV2 } }) => [
      ...(Array.isArray(derivedFields) ? derivedFields : []),
      ...(tracesToLogsV2 ? [tracesToLogsV2] : []),
    ]);
    expect(links).toEqual([
      expect.objectContaining({ datasourceUid: 'loki', filterByTraceID: true }),
      expect.objectContaining({ matcherRegex: 'trace_id', datasourceUid: 'tempo' }),
    ]);
  });

  it('reads the fields of the log that its lines have', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crm-lines-'));
    const file = join(folder.path, 'log');
    const log = createLog('contacts', 'trace', file);
    for (const level of levels) log[level]({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }, 'A line');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const { operators } = collector.receivers.filelog;
    const find = (type: string) => operators.find((one) => one.type === type) ?? expect.fail(type);
    const kept = new RegExp(
      /matches "(.*)"\)$/.exec(String(find('filter').expr))?.[1]?.replaceAll('\\"', '"') ?? '',
    );
    const parser = Parser.parse(find('json_parser'));
    expect(Object.keys(parser.severity.mapping).sort()).toEqual([...levels].sort());
    for (const [index, line] of lines.entries()) {
      expect(line).toMatch(kept);
      const fields = { line: JSON.parse(line) };
      const at = (path: string) => Object(fields.line)[path.replace('attributes.line.', '')];
      expect(at(parser.severity.parse_from)).toBe(parser.severity.mapping[levels[index] ?? '']);
      expect(at(parser.trace.trace_id.parse_from)).toBe('a'.repeat(32));
      expect(at(parser.trace.span_id.parse_from)).toBe('b'.repeat(16));
      expect(at(String(find('move').from))).toBe('contacts');
    }
    expect('{"level":30,"msg":"of another program"}').not.toMatch(kept);
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

/** The last one of them has all lines written at once. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
const functions = ['histogram_quantile', 'label_replace', 'min_over_time'];
