import { choice } from '@crm/contract';

/** Who decided whether a contact may be sent messages. */
export const optOutSource = choice('Reply', 'List-Unsubscribe', 'Bounce', 'Agent')
  .nullable()
  .describe(
    'Reply: the contact texted STOP or START. List-Unsubscribe: the contact used the link of an e-mail, or called one spam. Bounce: the address or number is unreachable. Agent: it was set with PATCH, or by a file of contacts. null if nobody has decided',
  );
