export {
  bindPlace,
  type Placed,
  type PlaceInOrder,
  partsAfter,
  placedAt,
  rangeOf,
  rangesAfter,
  type SortKey,
  type SqlKey,
  sqlKeys,
  sqlOfAfter,
  sqlOfOrder,
} from './order.ts';
export { errorOfJsonAsForm, readFormText, readQueryString } from './query-string.ts';
export {
  all,
  Binds,
  type Column,
  type Columns,
  columnOf,
  inAnyCase,
  isAmong,
  sqlOfConditions,
  sqlOfFilter,
  sqlOfRule,
} from './sql.ts';
