/** What a campaign sends to a contact. A call goes to the sender, who is asked to call the contact. */
export const communicationTypes = ['Email Contact', 'Call Contact', 'Text Contact'] as const;

export type CommunicationType = (typeof communicationTypes)[number];
