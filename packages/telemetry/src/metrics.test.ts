import { freePort } from '@crm/embedded';
import { expect, it, onTestFinished } from 'vitest';
import { published, seriesIn } from '../test/prometheus-names.ts';
import { type Metric, metricTable, type Named } from './metric-table.ts';
import { counts, durations, observed } from './metrics.ts';
import { startMetrics } from './start-metrics.ts';

const host = '127.0.0.1';

it('serves every metric under its documented name with its labels, and no number for a value that cannot be read', async () => {
  const port = await freePort();
  const stop = await startMetrics({ host, port });
  onTestFinished(stop);
  for (const [name, { kind, labels }] of Object.entries<Metric>(metricTable)) {
    const values = Object.fromEntries(labels.map((label) => [label, `some ${label}`])) as never;
    if (kind === 'histogram') durations(name as Named<'histogram'>)(20, values);
    else if (kind === 'counter') counts(name as Named<'counter'>)(values);
    else observed(name as Named<'observed'>, (observe) => observe(1, values));
  }
  let isAvailable = true;
  observed('crm.consumer.waiting', (observe) => {
    observe(2, { 'crm.service': 'contacts', 'crm.publisher': 'identity' });
    if (!isAvailable) throw new Error('The broker is unavailable.');
    observe(3, { 'crm.service': 'contacts', 'crm.publisher': 'scheduling' });
  });
  const read = async () => (await fetch(`http://${host}:${port}/metrics`)).text();
  const text = await read();
  const found = seriesIn(text);
  for (const { series, labels } of published)
    for (const name of series) {
      expect([...found.keys()]).toContain(name);
      expect([...(found.get(name) ?? [])], name).toEqual(expect.arrayContaining([...labels]));
    }
  expect(text).toMatch(/http_server_request_duration_bucket\{.*le="0\.032"\} 1\n/);
  expect(text).toMatch(/^crm_consumer_waiting\{.*crm_publisher="scheduling".*\} 3$/m);
  isAvailable = false;
  const later = await read();
  expect(later).toMatch(/^crm_consumer_waiting\{.*crm_publisher="identity".*\} 2$/m);
  expect(later).toMatch(/^crm_consumer_waiting\{.*crm_publisher="scheduling".*\} NaN$/m);
  await expect(startMetrics({ host, port })).rejects.toThrow('EADDRINUSE');
});
