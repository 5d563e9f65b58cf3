export type { Auth, TokenSource } from './auth.ts';
export type { Change, FollowOptions } from './changes.ts';
export { type CrmOptions, createCrm } from './create-crm.ts';
export { CrmError, type CrmErrorName, isCrmError, UnreachableError } from './crm-error.ts';
export { type Authorization, type OAuth, OAuthError, oauth, type Tokens } from './oauth.ts';
export type { Crm, Inputs, Outputs } from './operations.ts';
export type { CallOptions } from './send.ts';
export { type Lock, session, type TokenStore } from './session.ts';
