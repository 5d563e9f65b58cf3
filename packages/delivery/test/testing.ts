export { type Carriers, startCarriers } from './carriers.ts';
export { nowhere } from './nowhere.ts';
