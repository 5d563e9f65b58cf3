export { hashOfToken, isAccessToken, newAccessToken, newSecret, subAccountToken } from './access-token.ts';
export {
  type ActingBroker,
  type Actor,
  actingName,
  actorName,
  type BrokerSwitches,
  connectionsOf,
  gateway,
  isUser,
  ownersSeenBy,
  peopleOf,
  type Scope,
  type System,
  system,
  type User,
  withoutRights,
} from './actor.ts';
export {
  readInternalToken,
  type SigningKey,
  signInternalToken,
  type VerifiedToken,
} from './internal-token.ts';
export type { Rule } from './rule.ts';
