export { type Holding, holdAt } from './hold-at.ts';
export { itIsOnlyTheLastOnesWhoTookIt } from './lost-lease.ts';
