import { parseArgs } from 'node:util';
import { besideHostileAccount } from './beside-hostile-account.ts';
import { openGround } from './ground.ts';

/**
 * An account that works all day beside one that sends what is most expensive, in turns with working alone. With `--most 3` it
 * fails if the p99 of the account is more than three times what it is alone, in the median of the rounds.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string' }, most: { type: 'string' } } });
const rounds = Number(values.rounds ?? 15);
const most = values.most === undefined ? undefined : Number(values.most);

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup);
const note = (line: string) => void process.stderr.write(`${line}\n`);
const report = await besideHostileAccount(ground, cleanup, { rounds, most, note });
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.failures > 0 || report.ratio.p99 > (most ?? Number.POSITIVE_INFINITY) ? 1 : 0;
