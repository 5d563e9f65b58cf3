import { reservePorts } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { needPorts } from './ports.ts';
import { readStartConfig } from './start-config.ts';

it('a start is refused if its metrics need a port of the system, with the variable to change', async () => {
  const { ports, free } = await reservePorts();
  onTestFinished(free);
  const port = ports[4] ?? 0;
  const need = (metricsPort: number, processes = false) =>
    needPorts(
      readStartConfig({ PORT: String(port), METRICS_PORT: String(metricsPort) }),
      { processes },
      60_000,
    );
  await expect(need(port)).rejects.toThrow(
    `Port ${port}, needed for the metrics, is also needed for the gateway. Set METRICS_PORT to another one`,
  );
  await expect(need(port + 2)).rejects.toThrow('is also needed for contacts. Set METRICS_PORT');
  await expect(need(port + 8)).resolves.toBeUndefined();
  // With processes, the services serve their own on the ports after it.
  await expect(need(port + 8, true)).resolves.toBeUndefined();
  await expect(need(port - 4, true)).rejects.toThrow(/is also needed for .*Set METRICS_PORT/);
});
