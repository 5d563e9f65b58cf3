import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second of /proc, which are the same on every Linux. */
const ticks = 100;

interface Process {
  readonly parent: number;
  readonly name: string;
  readonly seconds: number;
  /** Of those that it has started and that have ended. */
  readonly secondsOfEnded: number;
}

/** The processor time that this process and its descendants have used so far, in seconds by program. Empty except on Linux. */
export async function cpuSeconds(): Promise<Readonly<Record<string, number>>> {
  const ids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const found = await Promise.all(ids.map(async (id) => [id, await processAt(id)] as const));
  const processes = new Map(found.flatMap(([id, one]) => (one ? [[id, one] as const] : [])));
  const isOurs = (id: number): boolean => {
    const one = processes.get(id);
    return id === process.pid || (one !== undefined && one.parent > 1 && isOurs(one.parent));
  };
  const sums: Record<string, number> = {};
  const add = (name: string, seconds: number) => {
    sums[name] = (sums[name] ?? 0) + seconds;
  };
  for (const [id, { name, seconds, secondsOfEnded }] of processes) {
    if (!isOurs(id)) continue;
    add(name, seconds);
    // Connections of PostgreSQL, or instances that were killed.
    add(id === process.pid ? 'killed instances' : name, secondsOfEnded);
  }
  return sums;
}

/** A process that has ended meanwhile is left out. */
async function processAt(id: number): Promise<Process | undefined> {
  const read = (file: string) => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
  const [stat, command] = await Promise.all([read('stat'), read('cmdline')]);
  // The name of the program is in brackets, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return undefined;
  const secondsOf = (user: number, system: number) => (Number(fields[user]) + Number(fields[system])) / ticks;
  const program = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const name = id === process.pid ? 'the providers' : (/services\/([\w-]+)/.exec(command)?.[1] ?? program);
  return { parent: Number(fields[1]), name, seconds: secondsOf(11, 12), secondsOfEnded: secondsOf(13, 14) };
}

/** The processor time between two moments, in milliseconds for each of some messages. */
export function cpuPerMessage(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  messages: number,
): Readonly<Record<string, number>> {
  const spent = Object.entries(after).map(([name, seconds]) => {
    const milliseconds = (1_000 * (seconds - (before[name] ?? 0))) / messages;
    return [name, Math.round(1_000 * milliseconds) / 1_000] as const;
  });
  const all = spent.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  return Object.fromEntries([...spent, ['all', Math.round(1_000 * all) / 1_000]]);
}
