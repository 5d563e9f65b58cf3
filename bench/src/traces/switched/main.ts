// Loaded into a system before it starts. Records the share of the traces that a file names, or none, whenever it gets a signal.
import { readFileSync } from 'node:fs';
import { startTracing } from '@crm/telemetry/start-tracing';

const { TRACES_FILE = '', TRACES_URL = '' } = process.env;
let stop = async () => {};

process.on('SIGUSR2', async () => {
  await stop();
  const share = readFileSync(TRACES_FILE, 'utf8');
  const sample = () => Math.random() < Number(share);
  stop = share === 'off' ? async () => {} : startTracing({ service: 'crm', url: TRACES_URL, sample });
});
