import { parseArgs } from 'node:util';
import { endWhenInterrupted } from './end-when-interrupted.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { runUnderFaults } from './run.ts';
import { canMount } from './small-disk.ts';

/** A disk is filled only where one can be mounted for that. */
const possible = faultKinds.filter((kind) => kind !== 'disk full' || canMount);

/** Runs the system under random faults: `npm run test:faults -- --seconds 600 --seed 1 --carrier ignores-keys`. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    carrier: { type: 'string', default: 'honours-keys' },
    faults: { type: 'string', default: possible.join(',') },
    kills: { type: 'string', default: '1' },
    crashes: { type: 'string', default: '0.001' },
    patience: { type: 'string', default: '90' },
  },
});
const kinds = values.faults.split(',') as FaultKind[];
for (const kind of kinds) {
  if (!faultKinds.includes(kind))
    throw new Error(`"${kind}" is no fault. There are: ${faultKinds.join(', ')}.`);
}
const log = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);
log(`seed ${values.seed}`);
await using cleanup = new AsyncDisposableStack();
endWhenInterrupted(cleanup);
const run = {
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  kinds,
  honoursKeys: values.carrier === 'honours-keys',
  killShare: Number(values.kills),
  crashChance: Number(values.crashes),
  patienceMs: Number(values.patience) * 1_000,
  note: log,
  progress: log,
};
const { findings, ...figures } = await runUnderFaults(run, cleanup);
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n${findings.length} wrong results\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
