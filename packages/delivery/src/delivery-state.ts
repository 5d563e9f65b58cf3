/** What the provider knows about a text or call that it accepted. */
export const deliveryStates = ['Queued', 'Sent', 'Delivered', 'Undelivered', 'Failed'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** By the statuses of Twilio's messages and calls. */
const states: Readonly<Record<string, DeliveryState>> = {
  accepted: 'Queued',
  scheduled: 'Queued',
  queued: 'Queued',
  sending: 'Queued',
  initiated: 'Queued',
  sent: 'Sent',
  ringing: 'Sent',
  'in-progress': 'Sent',
  delivered: 'Delivered',
  read: 'Delivered',
  completed: 'Delivered',
  undelivered: 'Undelivered',
  busy: 'Undelivered',
  'no-answer': 'Undelivered',
  canceled: 'Failed',
  failed: 'Failed',
};

/** Undefined for a status that says nothing about the delivery. */
export const deliveryStateOf = (status: string): DeliveryState | undefined =>
  Object.hasOwn(states, status) ? states[status] : undefined;
