import type { CallService, Credential } from '@crm/client';

/** As long as a client may wait for a response. */
export const requestMs = 30_000;

export interface Backend {
  /** One for each service of the routes. */
  readonly services: Readonly<Record<string, CallService>>;
  /** Exchanges a client's token for what the service trusts. Throws NotAuthenticated for an invalid token. */
  readonly admit: (token: string, service: string, from: RequestOrigin) => Promise<Admission>;
  /** The credential that the gateway itself presents to a service with a raw request. */
  readonly asGateway: (service: string, requestId: string) => Promise<Credential>;
}

export interface Admission {
  readonly credential: Credential;
  /** The owner of the token; undefined for callers that act as the system. */
  readonly user?: number | undefined;
  /** The account whose requests are counted together: that user, or the broker who acts as that user. */
  readonly account?: number | undefined;
  /** Changes whenever the rights behind the token change; undefined if unknown. */
  readonly rights?: string | undefined;
}

/** The request that a token came with, and its network address. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly address: string;
}
