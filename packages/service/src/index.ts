export { actAs } from './act-as.ts';
export { demandOwnPerson } from './acting-broker.ts';
export { atMostEvery } from './at-most-every.ts';
export { auditEventHandlers, findAuditPart, findHistory } from './audit-events.ts';
export { byIds } from './by-ids.ts';
export { causeIn, causeNow, causeText, resume } from './cause.ts';
export { causeHandlers } from './causes.ts';
export { isAboutData, isCollision, refusalIn } from './classify-error.ts';
export { type Clock, machineClock } from './clock.ts';
export { completePage, completeRecord, completeText } from './complete.ts';
export { readOperatorToken, readPublicUrl, readServiceTokens } from './config.ts';
export type { Context } from './context.ts';
export { RowProblem, type ServiceDefinition, type Worker, type WorkerContext } from './definition.ts';
export { dueIn } from './due-in.ts';
export { entryWithin, withoutEntities } from './entry-within.ts';
export { readEnvironment } from './environment.ts';
export { flushOr } from './flush-or.ts';
export { idempotencyTables } from './idempotency.ts';
export { demand, type Handlers, implement, inSteps, proceduresOf } from './implement.ts';
export { linkedAdmission } from './linked-admission.ts';
export { answerWith, loadForChange, lockForChange } from './load-for-change.ts';
export { createLog, type Logger } from './log.ts';
export { networkOf } from './network.ts';
export { operatorHandlers } from './operator-handlers.ts';
export { linkedPeers, type PeerContext, peer } from './peers.ts';
export type { Pending } from './pending.ts';
export {
  doPortions,
  leftOutReason,
  maxPortionAttempts,
  type Postponed,
  portionWorker,
  type Sized,
} from './portion-worker.ts';
export type { Procedure } from './procedure.ts';
export { type Publishing, publish } from './publish.ts';
export { demandSeen, findOrSearch, findPage, getRecord } from './read.ts';
export { repeat, repeatAfterCommits, repeatAtOnce } from './repeat.ts';
export { runService } from './run-service.ts';
export { type RunningService, startService } from './start-service.ts';
export type { ServiceStatus } from './status.ts';
export { deliveryContext, systemContext, type TransactionContext } from './transaction-context.ts';
export { rememberVerified } from './verified-tokens.ts';
export { within } from './within.ts';
