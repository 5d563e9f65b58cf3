/** What a campaign sends to a contact, or has its sender called about. */
export const communicationTypes = ['Email Contact', 'Call Contact', 'Text Contact'] as const;

export type CommunicationType = (typeof communicationTypes)[number];
