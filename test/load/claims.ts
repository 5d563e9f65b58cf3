import { claimsUnderLoad } from './claims-under-load.ts';
import { openGround } from './ground.ts';

/** A thousand concurrent claims on one lead, a hundred times, while one of two instances is killed in each round. */
const rounds = Number(process.argv[2] ?? 100);
const claims = Number(process.argv[3] ?? 1_000);

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup);
const note = (round: number, isRight: boolean) =>
  void process.stderr.write(`${round + 1}: ${isRight ? 'one winner' : 'WRONG'}\n`);
const report = await claimsUnderLoad(ground, await ground.people(50), { rounds, claims, note });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.wrong > 0 ? 1 : 0;
