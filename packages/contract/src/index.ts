export {
  type AuditEvent,
  AuditEventView,
  auditEventApi,
  auditOrder,
  maxAuditEvents,
} from './audit-event.ts';
export { type DeadLetter, DeadLetterView, deadLetterApi, WholeDeadLetterView } from './dead-letter.ts';
export {
  choice,
  color,
  flag,
  id,
  instant,
  integer,
  integerFrom,
  isStorable,
  localTime,
  number,
  readInstant,
  readLocalTime,
  reference,
  text,
  timeZone,
} from './fields.ts';
export { type FieldKind, fieldKinds, notFilterable } from './filterable.ts';
export { find, type Listing, listingOf, pageOf, type RecordQuery, record } from './find.ts';
export type { Filters, FindInput, PartFilters } from './find-input.ts';
export { mergePages } from './merge-pages.ts';
export { suggestion } from './nearest.ts';
export {
  type Contract,
  type Download,
  FilePart,
  hasDryRun,
  internal,
  type Operation,
  type Operations,
  operation,
  pathParameters,
  type SystemCaller,
  serviceTokenHolders,
  successOf,
} from './operation.ts';
export type { Find } from './read-find.ts';
export { isError, readScalar, type Scalar } from './read-scalar.ts';
export {
  forbidden,
  invalid,
  noRecord,
  notFound,
  type Problem,
  type Refusal,
  type RefusalName,
  Refused,
  refusal,
  statuses,
  unavailable,
  wrong,
} from './refusal.ts';
export { loadOf, type Relation, relations } from './relations.ts';
export type { RouterOf, TrpcError } from './router.ts';
export { search, searchWords } from './search.ts';
export { isForPrograms, page, WebAnswer, type WebDocument, WebRequest, web, webHeaders } from './web.ts';
export type { Comparison, Condition } from './where.ts';
