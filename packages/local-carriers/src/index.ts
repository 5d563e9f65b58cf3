export type { Arrival, Behaviour, Hook } from './behaviour.ts';
export { type Carrier, type CarrierOptions, startCarrier } from './carrier.ts';
export type { Answered, CallbackUrls, Sent } from './carrier-book.ts';
export type { Received } from './ledger.ts';
export { type LocalCarriers, type LocalCarriersOptions, startLocalCarriers } from './local-carriers.ts';
export type { CaughtMail } from './mail.ts';
export { type MailCatcher, type MailCatcherOptions, mailUrl, startMailCatcher } from './mail-catcher.ts';
export type { CallbackAnswer } from './post-callback.ts';
