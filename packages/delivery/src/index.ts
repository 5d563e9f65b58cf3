export type { CarrierOptions, PhoneCall, Text } from './carrier.ts';
export { type DeliveryConfig, deliveryConfigOf, deliveryVariables } from './config.ts';
export type { Email } from './email.ts';
export { type Callback, type Inbound, readInbound } from './inbound.ts';
export type { Mailbox } from './mailbox.ts';
export { type Delivery, type DeliveryOptions, openDelivery } from './open-delivery.ts';
export { optOut } from './opt-out.ts';
export type { Outcome } from './outcome.ts';
export { signatureOf } from './signature.ts';
