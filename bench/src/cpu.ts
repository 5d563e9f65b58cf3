import { readdirSync, readFileSync } from 'node:fs';

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly ownMs: number;
  /** Of children that have ended. */
  readonly endedMs: number;
}

export interface CpuTimes {
  /** The program's own processes. */
  readonly server: number;
  readonly postgres: number;
  readonly nats: number;
}

/** The unit of /proc/<pid>/stat on Linux: USER_HZ is 100 on every architecture that Node runs on. */
const msPerTick = 10;

/** Processor time so far, in milliseconds. PostgreSQL is counted apart from the program that started it. */
export function cpuTimes(serverPid: number, postmasterPid: number): CpuTimes {
  const all = allProcesses();
  const postgres = descendants(all, postmasterPid);
  const server = descendants(all, serverPid).filter((one) => !postgres.includes(one));
  const isNats = ({ name }: ProcessTimes) => name.startsWith('nats');
  const postmaster = postgres.find(({ pid }) => pid === postmasterPid);
  return {
    server: sum(server.filter((one) => !isNats(one))),
    nats: sum(server.filter(isNats)),
    // A connection that has ended is in the account of the postmaster, so the sum never falls.
    postgres: sum(postgres) + (postmaster?.endedMs ?? 0),
  };
}

/** Resident memory of the program's own processes, in MiB. */
export function residentMiB(serverPid: number, postmasterPid: number): number {
  const all = allProcesses();
  const postgres = descendants(all, postmasterPid);
  const server = descendants(all, serverPid).filter((one) => !postgres.includes(one));
  const kib = server.map(({ pid }) => Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status') ?? '')?.[1] ?? 0));
  return Math.round(kib.reduce((total, each) => total + each, 0) / 1024);
}

const sum = (processes: readonly ProcessTimes[]): number =>
  processes.reduce((total, { ownMs }) => total + ownMs, 0);

function descendants(all: readonly ProcessTimes[], root: number): ProcessTimes[] {
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

function allProcesses(): ProcessTimes[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => timesOf(Number(pid)) ?? []);
}

function timesOf(pid: number): ProcessTimes | undefined {
  const stat = procFile(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name is in brackets and may contain spaces and brackets itself.
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * msPerTick;
  return {
    pid,
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    ownMs: ticks(11),
    endedMs: ticks(13),
  };
}

/** Undefined if the process has ended. */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}
