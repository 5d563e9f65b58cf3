import { page } from '@crm/contract';

/** The page on which users decide about the brokers who act for them. */
export const brokerPageApi = {
  list: page({
    rest: 'GET /account/brokers',
    kind: 'mutation',
    summary: 'Show the brokers who may act for the user, and their invitations',
  }),
  allow: page({
    rest: 'POST /account/brokers',
    kind: 'mutation',
    summary: 'Let a broker add the user as a sub-account',
  }),
  accept: page({
    rest: 'POST /account/brokers/:delegation_id/accept',
    kind: 'mutation',
    summary: 'Accept the request of a broker to act for the user',
  }),
  leave: page({
    rest: 'POST /account/brokers/:delegation_id/leave',
    kind: 'mutation',
    summary: 'Decline an invitation, or end the access of a broker',
  }),
};

/** The page of a broker about the users the broker acts for. */
export const invitationPageApi = {
  list: page({
    rest: 'GET /account/sub-accounts',
    kind: 'mutation',
    summary: 'Show the sub-accounts and the invitations of a broker',
  }),
  invite: page({
    rest: 'POST /account/sub-accounts',
    kind: 'mutation',
    summary: 'Invite a user to become a sub-account',
  }),
  end: page({
    rest: 'POST /account/sub-accounts/:delegation_id/end',
    kind: 'mutation',
    summary: 'Withdraw an invitation or remove a sub-account',
  }),
};
