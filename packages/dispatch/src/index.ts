export { batched } from './batched.ts';
export { type Dispatch, dispatcher, type Leased } from './dispatcher.ts';
export { lease, providerMs } from './lease.ts';
export { again, lostAnswer, type Settlement, settlementOf } from './settlement.ts';
