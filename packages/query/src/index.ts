export { maxQueryLength, readQueryString } from './query-string.ts';
export {
  all,
  Binds,
  type Column,
  type Columns,
  sqlOfConditions,
  sqlOfOrder,
  sqlOfRule,
} from './sql.ts';
