export { longestQuery, readQueryString } from './query-string.ts';
export {
  Binds,
  type Column,
  type Columns,
  type Rule,
  sqlOfConditions,
  sqlOfOrder,
  sqlOfRule,
} from './sql.ts';
