import { faultPoints } from '@crm/messaging';

/** The moments of a communication at which a crash leaves it half done. */
export type CommunicationFault =
  | 'communication.leased'
  | 'communication.begun'
  | 'communication.sent'
  | 'communication.settled';

export const { fault, setFault } = faultPoints<CommunicationFault>();
