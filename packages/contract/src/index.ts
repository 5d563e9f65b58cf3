export {
  type AuditEvent,
  AuditEventView,
  auditEventApi,
  auditOrder,
  HistoryView,
  maxAuditEvents,
} from './audit-event.ts';
export {
  type BrokerSwitch,
  type BrokerSwitches,
  brokerSwitches,
  createSwitches,
  eachSwitch,
  useSwitches,
} from './broker-switches.ts';
export { Cause, type Caused, CausedView, causeApi } from './cause.ts';
export { type DeadLetter, DeadLetterView, deadLetterApi, WholeDeadLetterView } from './dead-letter.ts';
export { decisive } from './decisive.ts';
export { errorCode } from './error-code.ts';
export { type ErrorCode, generalErrorCodes } from './error-codes.ts';
export { eventStream } from './event-stream.ts';
export {
  type FieldDetail,
  type FieldError,
  type FieldErrors,
  fieldErrorOf,
  inWords,
  notInYourTeams,
  notWritable,
  required,
  unknown,
  unknownRecord,
} from './field-error.ts';
export {
  anyId,
  choice,
  color,
  emptyAsNull,
  flag,
  id,
  ids,
  instant,
  integer,
  integerFrom,
  isStorable,
  localTime,
  maxIds,
  number,
  reference,
  text,
  timeZone,
} from './fields.ts';
export { type FieldKind, fieldKinds, notFilterable } from './filterable.ts';
export { find, type Listing, listingOf, pageOf, type RecordQuery, record } from './find.ts';
export type { Filters, FindInput, PartFilters } from './find-input.ts';
export {
  bodyTooLarge,
  forbidden,
  keyReused,
  methodNotAllowed,
  noRecord,
  notFound,
  onlyInPerson,
  outsideThePeople,
  pathNotFound,
  preconditionFailed,
  scopeMissing,
  stillRunning,
  tokenInvalid,
  tokenMissing,
  unknownProcedure,
  unsupportedMediaType,
  urlTooLong,
} from './general-refusals.ts';
export { ignoring } from './ignoring.ts';
export { maxCustomFields, pageLimits, requestLimits } from './limits.ts';
export { isRecord } from './list-of.ts';
export { mergePages } from './merge-pages.ts';
export { nearest, suggestion } from './nearest.ts';
export {
  type Contract,
  type Download,
  FilePart,
  forOperator,
  hasDryRun,
  internal,
  type Operation,
  type Operations,
  operation,
  pathParameters,
  type SystemCaller,
  scopeOf,
  serviceTokenHolders,
  successOf,
  type Upload,
  UploadPart,
  type Verb,
  withUpload,
} from './operation.ts';
export { couldAsk, optOutField, plainName } from './opt-out-names.ts';
export { optOutWord } from './opt-out-words.ts';
export type { Comparison, Condition } from './read-field.ts';
export type { Find } from './read-find.ts';
export { isError, readScalar, type Scalar } from './read-scalar.ts';
export { readInstant, readLocalTime } from './read-time.ts';
export {
  type ErrorEntry,
  fieldErrorsIn,
  invalidField,
  invalidFields,
  isTemporary,
  type Problem,
  problemOf,
  type Refusal,
  type RefusalName,
  Refused,
  refusal,
  statuses,
} from './refusal.ts';
export { refusing } from './refusing.ts';
export { loadOf, type Relation, relations } from './relations.ts';
export {
  fault,
  malformedBody,
  malformedRequest,
  malformedUrl,
  rateLimited,
  tooManyAtOnce,
  tooSlow,
  unavailable,
} from './request-refusals.ts';
export type { RouterOf, TrpcError } from './router.ts';
export { search, searchWords } from './search.ts';
export { errorFormOf, isForPrograms, page, WebAnswer, WebRequest, web, webHeaders } from './web.ts';
export type { ErrorForm, WebDocument } from './web-document.ts';
