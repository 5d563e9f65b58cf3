import { startTimeOf } from '@crm/embedded';
import type { RunningSystem } from './system-file.ts';

/** Whether the process of a system exists. After a crash, its id may belong to another program, which was started later. */
export function isRunning({ pid, processStart }: Pick<RunningSystem, 'pid' | 'processStart'>): boolean {
  const found = startTimeOf(pid);
  return found !== undefined && (processStart === undefined || processStart === found);
}
