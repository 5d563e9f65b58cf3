import { communicationsUnderLoad, makeContacts } from './communications-under-load.ts';
import { openGround } from './ground.ts';

/** Communications that are due in the same minute, sent undisturbed and while an instance is killed every second. */
const communications = Number(process.argv[2] ?? 100_000);
const instances = Number(process.argv[3] ?? 2);

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup, 2 * communications + 10_000);
const people = await ground.people(20);
await makeContacts(ground, people);
const reports = {
  'at once': await communicationsUnderLoad(ground, people, {
    communications: Math.min(communications, 10_000),
    kill: false,
    instances,
  }),
  'at once, one of the instances killed every second': await communicationsUnderLoad(ground, people, {
    communications,
    kill: true,
    instances,
  }),
};
for (const [name, report] of Object.entries(reports))
  process.stdout.write(`${name}: ${JSON.stringify(report, null, 2)}\n`);
const isWrong = Object.values(reports).some(
  ({ missing, twice, failed, unpublished }) => missing + twice + failed + unpublished > 0,
);
process.exitCode = isWrong ? 1 : 0;
