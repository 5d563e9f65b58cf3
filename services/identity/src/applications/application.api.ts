import { flag, forOperator, id, instant, internal, notFound, refusal, text } from '@crm/contract';
import { z } from 'zod';

/** Host names of the user's own machine. */
export const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Accepts a redirect URI that an application may register: https, or http on the user's own machine, without anything
 * that a browser could read differently, such as a fragment, a user, a wildcard, a backslash or a space.
 */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > 2000 || !/^https?:\/\/[!-~]+$/.test(uri) || /[#*\\@]/.test(uri)) return false;
  const url = URL.parse(uri);
  return url !== null && (url.protocol === 'https:' || loopbackHosts.includes(url.hostname));
}

const redirectUri = text(2000).refine(isRedirectUri, {
  error: 'must be an https address (or http on localhost) without a user, a wildcard or a fragment',
});

const ApplicationView = z.object({
  id,
  owner_user_id: id,
  name: z.string(),
  client_id: z.string(),
  is_public: flag.describe(
    'Has no secret, because it could not keep one: an app on a device or a page in a browser',
  ),
  allows_implicit: flag.describe('May use the implicit grant, which puts the token into the redirect'),
  redirect_uris: z.array(z.string()),
  is_disabled: flag,
  created_at: instant,
  modified_at: instant,
});

const ApplicationWithSecret = ApplicationView.extend({
  client_secret: z.string().nullable().describe('Shown only once; null for a public application'),
});

export const hasNoSecret = refusal('BadRequest', 'A public application has no secret.', {
  reason: 'public_application',
  when: 'A new secret is requested for a public application.',
  fix: 'Public applications sign in with PKCE and without a secret. Register another one for a server.',
  example: 'crm apps rotate-secret 4001',
  given: 'the application is public',
});

const writable = {
  name: text(255).min(1, { error: 'must not be empty' }),
  redirect_uris: z.array(redirectUri).min(1, { error: 'must contain at least one' }).max(20),
  allows_implicit: flag,
};

/** The fields that an owner can set, on the page and on the command line. */
export const ApplicationDraft = z.object({
  ...writable,
  allows_implicit: flag.default(false),
  is_public: flag.default(false),
});

export const ApplicationChanges = z.object(writable).partial();

export const applicationApi = {
  find: internal({
    ...forOperator,
    kind: 'query',
    summary: 'List applications',
    input: z.object({}),
    output: z.object({ data: z.array(ApplicationView) }),
  }),
  create: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Register an application; its secret is shown only once',
    input: ApplicationDraft.extend({
      owner: z.union([id, text(255)]).describe('The id or the e-mail address of the user'),
    }),
    output: ApplicationWithSecret,
    refuses: [notFound],
  }),
  change: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Change an application; tokens of a disabled one are refused',
    input: ApplicationChanges.extend({ id, is_disabled: flag.optional() }),
    output: ApplicationView,
    refuses: [notFound],
  }),
  rotateSecret: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Create a new secret; the previous one stays valid for 24 hours unless it is revoked at once',
    input: z.object({ id, at_once: flag.default(false) }),
    output: ApplicationWithSecret,
    refuses: [notFound, hasNoSecret],
  }),
  remove: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Remove an application with its consents and tokens',
    input: z.object({ id }),
    output: ApplicationView,
    refuses: [notFound],
  }),
};
