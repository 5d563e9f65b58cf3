export { batched } from './batched.ts';
export { patienceMs } from './breaker.ts';
export type { Answer, Call, CallService, Credential, Envelope } from './call.ts';
export { type CallOptions, type Client, createClient } from './client.ts';
export { clientOver } from './client-over.ts';
export { deadlineIn, deadlineOf, deadlineWithin, demandTimeLeft } from './deadline.ts';
export {
  type EntityTags,
  entityTagOf,
  isMatched,
  readEntityTags,
} from './entity-tag.ts';
export { setLatest } from './latest-entries.ts';
export { callHeaders, type RemoteService, remoteService } from './remote-service.ts';
export { requestIdOf } from './request-id.ts';
export { bearerTokenIn, type Preferences, preferencesIn } from './sent-headers.ts';
export { resultText } from './wire.ts';
