import { dispatchUnderLoad, makePeople } from './dispatch-under-load.ts';
import { openGround } from './ground.ts';

/** Offers that are due at the same time while instances are killed, and undisturbed offers one after the other. */
const offers = Number(process.argv[2] ?? 10_000);

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup);
const people = await makePeople(ground);
const reports = {
  'one after the other': await dispatchUnderLoad(ground, people, {
    offers: 1_000,
    kill: false,
    overSeconds: 20,
  }),
  'at once': await dispatchUnderLoad(ground, people, { offers, kill: false }),
  'at once, one of two instances killed every second': await dispatchUnderLoad(ground, people, {
    offers,
    kill: true,
  }),
};
for (const [name, report] of Object.entries(reports))
  process.stdout.write(`${name}: ${JSON.stringify(report, null, 2)}\n`);
const isWrong = Object.values(reports).some(({ missing, twice, failed }) => missing + twice + failed > 0);
process.exitCode = isWrong ? 1 : 0;
