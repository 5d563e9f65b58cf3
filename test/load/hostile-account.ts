import { parseArgs } from 'node:util';
import { besideHostileAccount } from './beside-hostile-account.ts';
import { openGround } from './ground.ts';

/**
 * An account that works all day beside one that sends what is most expensive, in turns with working alone. It prints how much
 * longer the account waits beside it.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup);
const note = (line: string) => void process.stderr.write(`${line}\n`);
const report = await besideHostileAccount(ground, cleanup, { rounds, note });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.failures > 0 ? 1 : 0;
