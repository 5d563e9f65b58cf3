export { itStopsNobodyElse } from './bad-row.ts';
export { itIsOnlyTheLastOnesWhoTookIt } from './lost-lease.ts';
