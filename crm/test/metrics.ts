import { portOf } from '@crm/service/process';
import { serviceNames } from '../src/system/services.ts';

/** The metrics of all processes of a test system, which was started with these words. */
export async function metricsOf(
  env: Readonly<Record<'METRICS_PORT', string>>,
  words: readonly string[],
): Promise<string> {
  const first = Number(env.METRICS_PORT);
  const others = words.includes('--processes') ? serviceNames.map((name) => portOf(name, first)) : [];
  const texts = [first, ...others].map(async (port) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  );
  return (await Promise.all(texts)).join('\n');
}
