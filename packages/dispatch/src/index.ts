export { clearCrashPoints, crashPoint, setCrashPoint, setCrashPointOnce } from './crash-point.ts';
export { dispatcher } from './dispatcher.ts';
export { DueRow, dueColumns, type Leased } from './due-row.ts';
export { lease } from './lease.ts';
export { reportedIn } from './note-status.ts';
export { openDispatch } from './open-dispatch.ts';
export { problemsIn } from './problems.queries.ts';
export {
  type BlockedRecipient,
  type DispatchTable,
  type FinalCheck,
  type Plan,
  type Queue,
  usualNames,
  usualSlots,
} from './queue.ts';
export { lostAnswer } from './settlement.ts';
export { shownOutcome } from './shown-outcome.ts';
export { finishReport, noContent, noteReport, type Received, receiveStatus } from './status-callback.ts';
