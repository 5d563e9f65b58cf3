import { id, noRecord, type WebRequest } from '@crm/contract';

/** A path parameter can contain anything; it must not add segments to a path or lines to a header. */
const segment = (id: number | string): string => encodeURIComponent(id);

/** The paths of the pages; the contracts declare them as templates. */
export const paths = {
  /** Served by the gateway. */
  front: '/',
  reference: '/docs',
  signIn: '/sign-in',
  signOut: '/sign-out',
  forgottenPassword: '/forgotten-password',
  reset: (token: string) => `/reset-password/${segment(token)}`,
  account: '/account',
  security: '/account/security',
  password: '/account/password',
  signOutEverywhere: '/account/security/sign-out',
  deviceEnd: (id: number | string) => `/account/security/devices/${segment(id)}/end`,
  ownTokenRevocation: (id: number | string) => `/account/security/tokens/${segment(id)}/revoke`,
  profile: '/account/profile',
  phoneConfirmation: '/account/phone/confirm',
  phoneCode: '/account/phone/code',
  reachable: '/account/reachable',
  calendarFeed: '/account/calendar-feed',
  calendarFeedRemoval: '/account/calendar-feed/remove',
  /** Served by scheduling, which sends the messages. */
  sending: '/account/sending',
  pausedTexts: '/account/paused-texts',
  /** Served by contacts. */
  imports: '/account/import',
  applications: '/account/applications',
  application: (id: number | string) => `/account/applications/${segment(id)}`,
  secret: (id: number | string) => `/account/applications/${segment(id)}/secret`,
  tokens: (id: number | string) => `/account/applications/${segment(id)}/tokens`,
  revocation: (id: number | string, tokenId: number | string) =>
    `/account/applications/${segment(id)}/tokens/${segment(tokenId)}/revoke`,
  removal: (id: number | string) => `/account/applications/${segment(id)}/remove`,
  connected: '/account/connected-applications',
  withdrawal: (id: number | string) => `/account/connected-applications/${segment(id)}/withdraw`,
  brokers: '/account/brokers',
  brokerAcceptance: (id: number | string) => `/account/brokers/${segment(id)}/accept`,
  brokerLeaving: (id: number | string) => `/account/brokers/${segment(id)}/leave`,
  teams: '/account/teams',
  teamAnswer: (id: number | string) => `/account/teams/${segment(id)}/answer`,
  subAccounts: '/account/sub-accounts',
  subAccountEnd: (id: number | string) => `/account/sub-accounts/${segment(id)}/end`,
} as const;

/** An id in the path. Throws NotFound for anything else. */
export function idIn({ params }: WebRequest, name: string): number {
  const read = id.safeParse(params[name]);
  if (!read.success) throw noRecord(params[name]);
  return read.data;
}
