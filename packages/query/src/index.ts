export { longestQuery, readQueryString } from './query-string.ts';
export {
  Binds,
  type Column,
  type Columns,
  sqlOfConditions,
  sqlOfOrder,
  sqlOfRule,
} from './sql.ts';
