import { readdirSync, readFileSync } from 'node:fs';
import { portOf } from '@crm/service/process';
import { startPrometheus } from '@crm/testing';
import { z } from 'zod';
import { serviceNames } from '../src/system/services.ts';

const Dashboard = z.object({
  title: z.string(),
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});
const folder = new URL('../../deploy/observability/dashboards/', import.meta.url);

/** The queries of the panels of all dashboards, by panel title, for one service where they have such a parameter. */
export const panelsAbout = (service: string) =>
  readdirSync(folder)
    .map((file) => Dashboard.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))))
    .flatMap(({ title, panels }) =>
      panels.flatMap((panel) =>
        panel.targets.map(({ expr }) => {
          return { panel: `${title}, ${panel.title}`, expr: expr.replaceAll('$service', service) };
        }),
      ),
    );

/** A Prometheus that reads a test system, which was started with these words. */
export function prometheusOf(env: Readonly<Record<'METRICS_PORT', string>>, words: readonly string[]) {
  const first = Number(env.METRICS_PORT);
  const services = words.includes('--processes') ? serviceNames : [];
  return startPrometheus({
    gateway: first,
    ...Object.fromEntries(services.map((name) => [name, portOf(name, first)])),
  });
}
