export { readAbuseReport } from './abuse-report.ts';
export { type Bounce, isBounceSigned, readBounce } from './bounce.ts';
export { noStore, readCallback, refusedCallback, signedUrl, twimlAnswer } from './callback.ts';
export type { CarrierOptions, PhoneCall, Text } from './carrier.ts';
export type { DeliveryBlock } from './carrier-errors.ts';
export {
  carrierOf,
  carrierVariables,
  carrierVariablesOf,
  type DeliveryConfig,
  deliveryConfigOf,
  deliveryVariables,
  mailOf,
  mailVariables,
  mailVariablesOf,
  variablesOf,
} from './config.ts';
export { type DeliveryState, deliveryStates } from './delivery-state.ts';
export type { Email } from './email.ts';
export type { MayStillSend } from './email-attempt.ts';
export { digestOf, toleranceMs } from './find-sent.ts';
export { type Inbound, readStatus, type StatusReport } from './inbound.ts';
export { openInbox, type ReceivedText } from './inbox.ts';
export { inOneLine } from './mailbox.ts';
export { openCarrier } from './open-carrier.ts';
export {
  type Delivery,
  emailsAtOnce,
  type MailOptions,
  openDelivery,
  type Providers,
} from './open-delivery.ts';
export type { Outcome } from './outcome.ts';
export {
  type ContactPhones,
  countryOf,
  extensionOf,
  type NumberToCall,
  numberError,
  numberToCall,
  toE164,
} from './phone.ts';
export { type SendingRules, sendingRulesOf, sendingVariables } from './sending-rules.ts';
export { type Named, nameOf, shortLine } from './short-line.ts';
export { signatureOf } from './signature.ts';
export { noReply, spoken } from './spoken.ts';
export { meaningOf, type TextMeaning, textMeanings } from './text-meaning.ts';
export { type ReachedUser, remarkOn, type Way, wayToUser } from './way-to-user.ts';
