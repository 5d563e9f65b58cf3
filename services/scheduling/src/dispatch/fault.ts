import { faultPoints } from '@crm/messaging';

/** The points at which a crash leaves a communication half done. */
export type CommunicationFault =
  | 'communication.leased'
  | 'communication.begun'
  | 'communication.sent'
  | 'communication.settled';

export const { fault, setFault } = faultPoints<CommunicationFault>();
