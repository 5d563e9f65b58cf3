import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { reservePort } from './reserve-ports.ts';
import { startProgram } from './start-program.ts';

export interface TestPrometheus {
  /** The current labels and values of the series of an expression. Throws if Prometheus does not accept it. */
  query(expression: string): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

/** A real Prometheus that reads the metrics of processes, given by name and port, once a second. */
export async function startPrometheus(processes: Readonly<Record<string, number>>): Promise<TestPrometheus> {
  const program = await findProgram(['prometheus'], 'prometheus');
  if (!program) throw new Error('Prometheus was not found. Install it.');
  const folder = mkdtempSync(join(tmpdir(), 'crm-prometheus-'));
  const file = join(folder, 'prometheus.json');
  const targets = Object.entries(processes).map(([process, port]) => {
    return { targets: [`127.0.0.1:${port}`], labels: { process } };
  });
  const jobs = [{ job_name: 'crm', static_configs: targets }];
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: jobs }));
  const address = `127.0.0.1:${await reservePort()}`;
  const kill = await startProgram({
    ...program,
    args: [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    ready: 'Server is ready to receive web requests',
  });
  return {
    async query(expression) {
      const url = `http://${address}/api/v1/query?${new URLSearchParams({ query: expression })}`;
      const { status, data, error } = JSON.parse(await (await fetch(url)).text());
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data.result;
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}
