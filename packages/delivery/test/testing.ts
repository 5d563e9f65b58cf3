export { type Callback, callbackRequest } from './callback-request.ts';
export { type Carriers, startCarriers } from './carriers.ts';
export { nowhere } from './nowhere.ts';
