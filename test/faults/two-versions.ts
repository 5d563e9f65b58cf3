import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newTeam } from './agents.ts';
import { checkEvents } from './check-events.ts';
import { checkRecords } from './check-records.ts';
import { checkSendings } from './check-sendings.ts';
import { patientClients } from './client.ts';
import { endWhenInterrupted } from './end-when-interrupted.ts';
import { chances } from './faults.ts';
import { checkOut, commitBefore } from './release.ts';
import { type Story, tellStories } from './stories.ts';
import { openSystem, type System } from './system.ts';
import { newJournal, writeAndRead } from './writes.ts';

/**
 * Upgrades a system that is in use from another release to this one, instance by instance, and puts it back:
 * `node test/faults/two-versions.ts <commit>`.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const commit = positionals[0] ?? commitBefore();
const log = (line: string) => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);

/** A service calls only those before it, and gateways come last; back they go in the opposite order. */
async function replaceAll(system: System, names: readonly string[], began: (name: string) => void) {
  for (const name of names) {
    began(name);
    await system.instances.get(name)?.replaceEach();
    await sleep(500);
  }
}

await using cleanup = new AsyncDisposableStack();
endWhenInterrupted(cleanup);
const findings: string[] = [];
const note = (finding: string) => {
  findings.push(finding);
  log(finding);
};
const before = checkOut(commit, cleanup);
log(`${commit} in ${before}`);
const renewed = new Set<string>();
const system = await openSystem(cleanup, {
  honoursKeys: true,
  hasSmallDisk: false,
  crashChance: 0,
  folderOf: (name) => (renewed.has(name) ? undefined : before),
  note,
});
const clients = patientClients({ urls: system.gateways, note, repeated: log });
cleanup.defer(clients.close);
// No answer is lost, but what is accepted is noted.
system.ledger.lose(0, chances(2));
const team = await newTeam(system, clients, 2);
const progress = { isOver: false };
const [journal, stories]: [ReturnType<typeof newJournal>, Story[]] = [newJournal(), []];
const work = { team, chance: chances(1), note, isOver: () => progress.isOver };
const names = [...system.instances.keys()];
const told = (name: string, version: string) => log(`${name}: ${version}`);
const upgrade = async () => {
  log('all of the release before');
  await sleep(3_000);
  await replaceAll(system, names, (name) => {
    renewed.add(name);
    told(name, 'this release');
  });
  await replaceAll(system, names.toReversed(), (name) => {
    renewed.delete(name);
    told(name, 'the release before');
  });
  await sleep(3_000);
  progress.isOver = true;
};
await Promise.all([
  upgrade(),
  writeAndRead({ ...work, journal }),
  tellStories({ ...work, system, clients, stories }),
]);
log('over; waiting until everything is settled');
const sendings = await checkSendings(system, stories, { honoursKeys: true, hurry: true });
for (const finding of [
  ...sendings.found,
  ...(await checkRecords(system, journal)),
  ...(await checkEvents(system)),
])
  note(finding);
const { contacts, tasks, leads, reads } = journal;
const figures = {
  commit,
  requests: clients.counts,
  records: { contacts: contacts.size, tasks: tasks.size, leads: leads.size },
  readsAfterWrites: reads,
  messages: sendings.accepted,
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n${findings.length} wrong results\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
