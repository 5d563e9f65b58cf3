export { type Dispatch, type Dispatching, dispatcher, type Leased } from './dispatcher.ts';
export { gathering } from './gathering.ts';
export { lease, providerMs } from './lease.ts';
export { type Attempted, again, lostAnswer, type Settlement, settlementOf } from './settlement.ts';
