import { communicationsUnderLoad } from './communications-under-load.ts';
import { makeContacts } from './due-communications.ts';
import { openGround } from './ground.ts';

/**
 * Communications that are due in the same minute, sent undisturbed and while an instance is killed every second; `calm` leaves
 * out the latter.
 */
const communications = Number(process.argv[2] ?? 100_000);
const instances = Number(process.argv[3] ?? 2);
const isCalm = process.argv[4] === 'calm';

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup, 2 * communications + 10_000);
const people = await ground.people(20);
await makeContacts(ground, people, communications);
let isWrong = false;
for (const kill of isCalm ? [false] : [false, true]) {
  const name = kill ? 'at once, one of the instances killed every second' : 'at once';
  const report = await communicationsUnderLoad(ground, people, { communications, kill, instances });
  process.stdout.write(`${name}: ${JSON.stringify(report, null, 2)}\n`);
  const { missing, twice, failed, unpublished } = report;
  isWrong ||= missing + twice + failed + unpublished > 0;
}
process.exitCode = isWrong ? 1 : 0;
