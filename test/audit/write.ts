import { expect } from 'vitest';
import type { Json } from '../system/api.ts';
import type { Person, System } from '../system.ts';

/** A write of one operation, and what its row in the audit log says besides the operation and the request. */
export interface Write {
  /** Such as `identity.users.create`. */
  readonly operation: string;
  /** Carries it out, and throws if it is refused. The request has the id. */
  readonly run: (requestId: string) => Promise<unknown>;
  readonly row: Json;
}

export interface World {
  readonly system: System;
  /** Calls a procedure of a service with a credential of the system. */
  readonly call: (caller: string, operation: string, input: object, requestId: string) => Promise<unknown>;
}

export const anId: unknown = expect.any(Number);
const thisMachine: unknown = expect.stringMatching(/127\.0\.0\.1$/);

const noAccess = { act_user_id: null, client_id: null, token_id: null, address: null };

/** Neither has an access token. The user is the one whom it concerns. */
export const byOperator = (user_id: unknown): Json => ({ ...noAccess, actor_type: 'operator', user_id });
export const bySystem = (user_id: unknown = null): Json => ({ ...noAccess, actor_type: 'system', user_id });

/** Somebody who has no access token, but sent a request from an address: signed in, or with a secret link. */
export const fromBrowser = (user_id: unknown): Json => ({
  ...noAccess,
  actor_type: 'user',
  user_id,
  address: thisMachine,
});
export const byVisitor = (user_id: unknown = null): Json => ({
  ...fromBrowser(user_id),
  actor_type: 'visitor',
});

export const withToken = (person: Person): Json => ({ ...fromBrowser(person.id), token_id: anId });

export const about = (record_type: string | null, record_id: unknown = record_type && anId): Json => ({
  record_type,
  record_id,
});
