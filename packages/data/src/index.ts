export {
  type Consistency,
  type Copy,
  type DerivedColumns,
  type Reference,
  type RowRule,
  referencesTo,
} from './consistency.ts';
export { cursorOf, positionIn } from './cursor.ts';
export {
  type Database,
  limitStatements,
  type MessageTable,
  messageTypeOf,
  openDatabase,
  queryIn,
  type Store,
} from './database.ts';
export { hostsOf, withRole } from './database-url.ts';
export { dueRows } from './due-rows.ts';
export { findPage } from './find-page.ts';
export { getRecord } from './get-record.ts';
export type { ListQuery } from './list-query.ts';
export { lockRecord, lockReferences } from './lock-records.ts';
export { mailboxFunction } from './mailbox-function.ts';
export { migrate } from './migrate.ts';
export { provisionRole, rolePassword } from './provision.ts';
export {
  hasRows,
  type Query,
  queryFirst,
  queryIds,
  queryRow,
  queryRows,
  type Row,
  untilFewer,
  WithId,
} from './query.ts';
export {
  arrayOf,
  arrayOfAll,
  isoText,
  isSelected,
  JsonText,
  objectOf,
  type Read,
  type ReadModel,
  readModel,
  sha256Of,
} from './read-model.ts';
export { clientTo } from './read-write-client.ts';
export { markFinished, markUnfinished, type Unfinished, unfinishedIn } from './restoration.ts';
export {
  isBeforeRestoration,
  noteRestoration,
  restorationTable,
  restoredAt,
  withheldReason,
} from './restored-at.ts';
export { calledSearchFunctions, searchFunction, shorterSearchFunctions } from './search-function.ts';
export { type SearchedModel, searchPage } from './search-page.ts';
export { keepSettings, noticingLoss, settingsFor } from './session-settings.ts';
export { filterOfVisible, sqlOfVisible } from './sql-of-visible.ts';
export { maxIdleMs, maxTransactionMs } from './statement-time.ts';
export { storedDate, storedInstant } from './stored-date.ts';
export { isDatabaseUnavailable } from './unavailable-database.ts';
export { emFor, throughParent, visibleBy, visibleTo } from './visibility.ts';
export { insertRows, reserveIds, updateRow } from './write-rows.ts';
