import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '@crm/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = new URL('../deploy/observability/', import.meta.url);
const read = (file: string) => parse(readFileSync(new URL(file, folder), 'utf8'));

const Rules = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })) });
const Tests = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
});

describe('alerts', () => {
  let promtool: (...words: string[]) => Promise<unknown>;
  beforeAll(async () => {
    const program =
      (await findProgram(['promtool'], 'prometheus')) ?? expect.fail('Prometheus was not found. Install it.');
    const options = { cwd: fileURLToPath(folder), env: { ...process.env, ...program.env } };
    promtool = (...words) => promisify(execFile)(program.file, words, options);
  });

  it('are understood by Prometheus, as its configuration is', async () => {
    await promtool('check', 'config', 'prometheus.yml');
  });

  it('fire for what they are about, and not for what looks like it', async () => {
    await promtool('test', 'rules', 'alerts.test.yml');
  });

  it('are each tested when they fire and when they do not', () => {
    const tested = Tests.parse(read('alerts.test.yml')).tests.flatMap((one) => one.alert_rule_test);
    for (const { alert } of Rules.parse(read('alerts.yml')).groups.flatMap(({ rules }) => rules)) {
      const numbers = tested
        .filter(({ alertname }) => alertname === alert)
        .map(({ exp_alerts }) => exp_alerts.length);
      expect(numbers, alert).toContain(0);
      expect(Math.max(...numbers), alert).toBeGreaterThan(0);
    }
  });
});
