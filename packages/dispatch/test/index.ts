export { beginSending } from '../src/due-rows.queries.ts';
export { findingOwners } from '../src/owners-due.queries.ts';
export { failing } from '../src/problems.queries.ts';
export { upcoming } from '../src/upcoming-rows.queries.ts';
export { itStopsNobodyElse } from './bad-row.ts';
export { itIsOnlyTheLastOnesWhoTookIt } from './lost-lease.ts';
