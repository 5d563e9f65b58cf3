export {
  hashOfToken,
  isAccessToken,
  isSystemToken,
  newAccessToken,
  newSecret,
  subAccountToken,
} from './access-token.ts';
export {
  type Access,
  type ActingBroker,
  type Actor,
  actingName,
  actorAt,
  actorName,
  connectionsOf,
  countedAccount,
  gateway,
  isUser,
  ownersSeenBy,
  peopleOf,
  readAddress,
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
export { alternativesIn, conditionOf, isContains, isOverlap, ownersIn, type Rule } from './rule.ts';
