import { freePort } from '@crm/embedded';
import { expect, it } from 'vitest';
import { published, seriesIn } from '../test/prometheus-names.ts';
import { type Metric, metricTable, type Named } from './metric-table.ts';
import { counts, durations, observed } from './metrics.ts';
import { startMetrics } from './start-metrics.ts';

const host = '127.0.0.1';

it('serves every metric under its documented name with its labels, and leaves out what cannot be read', async () => {
  const port = await freePort();
  await startMetrics({ host, port });
  for (const [name, { kind, labels }] of Object.entries<Metric>(metricTable)) {
    const values = Object.fromEntries(labels.map((label) => [label, `some ${label}`])) as never;
    if (kind === 'histogram') durations(name as Named<'histogram'>)(20, values);
    else if (kind === 'counter') counts(name as Named<'counter'>)(values);
    else observed(name as Named<'observed'>, (observe) => observe(1, values));
  }
  observed('crm.outbox.age', () => Promise.reject(new Error('The database is unavailable.')));
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text();
  const found = seriesIn(text);
  for (const { series, labels } of published)
    for (const name of series) {
      expect([...found.keys()]).toContain(name);
      expect([...(found.get(name) ?? [])], name).toEqual(expect.arrayContaining([...labels]));
    }
  expect(text).toMatch(/http_server_request_duration_bucket\{.*le="0\.032"\} 1\n/);
  await expect(startMetrics({ host, port })).rejects.toThrow('EADDRINUSE');
});
