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
export {
  type Find,
  type FindInput,
  find,
  type Listing,
  listingOf,
  pageOf,
  type RecordQuery,
  record,
} from './find.ts';
export { nearest, suggestion } from './nearest.ts';
export {
  type Contract,
  internal,
  type Operation,
  type Operations,
  operation,
  pathParameters,
  successOf,
} from './operation.ts';
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
export { isForPrograms, page, WebAnswer, type WebDocument, WebRequest, web, webHeaders } from './web.ts';
export {
  type Comparison,
  type Condition,
  type FieldKind,
  fieldKinds,
  notFilterable,
  type Scalar,
} from './where.ts';
