export {
  type AuditedAction,
  type AuditedRecord,
  insertAuditRows,
  noUser,
  rowOf as auditRowOf,
} from './audit.ts';
export { auditTables } from './audit-tables.ts';
export { type Backlog, listBacklogs, waitingFor } from './backlog.ts';
export { type Broker, connectBroker } from './broker.ts';
export { type BrokerUser, brokerUsers, operatorUser } from './broker-users.ts';
export { type Commits, listenToCommits } from './commits.ts';
export { startConsumer } from './consumer.ts';
export { correctMoments } from './correct-moments.ts';
export { crashPoints, setCrashPoint } from './crash-point.ts';
export { countDeadLetters, discardDeadLetter, redriveDeadLetter } from './dead-letters.ts';
export { type Following, followOutbox, UnknownPosition } from './follow-outbox.ts';
export { handledBy } from './handled-by.ts';
export { keepPartitions } from './keep-partitions.ts';
export { type PartitionedById, partitionedById } from './partitioned-by-id.ts';
export {
  partitionedMessagingTables,
  partitionedTables,
} from './partitioned-tables.ts';
export {
  type Aggregate,
  auditAs,
  auditChange,
  auditTransaction,
  type EventOrigin,
  publish,
  removalOf,
  writeEvents,
} from './publish.ts';
export { redeliver } from './redeliver.ts';
export { type Lag, type Relay, startRelay } from './relay.ts';
export { isRepublishable, pendingAgain, republish } from './republish.ts';
export { servicesWithStreams } from './stream.ts';
export { listStreamed } from './stream-ids.ts';
export { streamOf } from './stream-name.ts';
export {
  type Deliveries,
  type Delivery,
  on,
  onAll,
  publishersOf,
  type Subscription,
} from './subscription.ts';
export {
  deadLetterTable,
  deliveryTables,
  lostEventColumns,
  messagingTables,
  notifyOfInserts,
  republishingColumn,
  throttledInsertNotifications,
  throttledNotifications,
} from './tables.ts';
export { listUnread, type Unread } from './unread.ts';
export { userIn } from './user-in.ts';
export { type Waker, waker } from './waker.ts';
