import type { CallService, Credential } from '@crm/client';

/** For as long as a client may wait for an answer. */
export const requestMs = 30_000;

export interface Backend {
  /** One for each service of the routes. */
  readonly services: Readonly<Record<string, CallService>>;
  /** Exchanges a client's token for what the service trusts. Throws NotAuthenticated for an invalid token. */
  readonly admit: (token: string, service: string, from: RequestOrigin) => Promise<Admission>;
  /** What the gateway itself presents to a service with a raw request. */
  readonly asGateway: (service: string, requestId: string) => Promise<Credential>;
}

export interface Admission {
  readonly credential: Credential;
  /** Whom the token belongs to; none for those who act as the system. */
  readonly user?: number | undefined;
  /** The user whose requests are counted together: that one, or the broker who acts as that one. */
  readonly account?: number | undefined;
  /** Changes whenever the rights behind the token change; undefined if unknown. */
  readonly rights?: string | undefined;
}

/** Which request a token came with, and from which network address. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly address: string;
}
