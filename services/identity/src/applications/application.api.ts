import { flag, id, instant, internal, notFound, refusal, text } from '@crm/contract';
import { z } from 'zod';

/** The names of one's own machine. */
export const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Whether an application may register it: https, or http on one's own machine, and nothing that a browser and
 * we could read in two ways: no fragment, no user, no wildcard, no backslash, no space.
 */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > 2000 || !/^https?:\/\/[!-~]+$/.test(uri) || /[#*\\@]/.test(uri)) return false;
  const url = URL.parse(uri);
  return url !== null && (url.protocol === 'https:' || loopbackHosts.includes(url.hostname));
}

const redirectUri = text(2000).refine(isRedirectUri, {
  error: 'must be an https address (http on this machine) without user, wildcard and fragment',
});

export const ApplicationView = z.object({
  id,
  owner_user_id: id,
  name: z.string(),
  client_id: z.string(),
  is_public: flag.describe('Has no secret, because it could not keep one: a program on a device, a page'),
  allows_implicit: flag.describe('May get a token in the redirect itself'),
  redirect_uris: z.array(z.string()),
  is_disabled: flag,
  created_at: instant,
  modified_at: instant,
});

export const ApplicationWithSecret = ApplicationView.extend({
  client_secret: z.string().nullable().describe('Shown this once; null for a public application'),
});

export const hasNoSecret = refusal('BadRequest', 'A public application has no secret.');

const writable = {
  name: text(255).min(1, { error: 'must not be empty' }),
  redirect_uris: z.array(redirectUri).min(1, { error: 'must name one at least' }).max(20),
  allows_implicit: flag,
};

/** What an owner may say of an application, on the page as on the command line. */
export const ApplicationDraft = z.object({
  ...writable,
  allows_implicit: flag.default(false),
  is_public: flag.default(false),
});

export const ApplicationChanges = z.object(writable).partial();

export const applicationApi = {
  find: internal({
    kind: 'query',
    for: 'system',
    summary: 'List applications',
    input: z.object({}),
    output: z.object({ data: z.array(ApplicationView) }),
  }),
  create: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Register an application; its secret is shown this once',
    input: ApplicationDraft.extend({
      owner: z.union([id, text(255)]).describe('The id or the e-mail address of the user'),
    }),
    output: ApplicationWithSecret,
    refuses: [notFound],
  }),
  change: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Change an application; the tokens of a disabled one do not work',
    input: ApplicationChanges.extend({ id, is_disabled: flag.optional() }),
    output: ApplicationView,
    refuses: [notFound],
  }),
  rotateSecret: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Give an application a new secret; the one before works for another day, or no more',
    input: z.object({ id, at_once: flag.default(false) }),
    output: ApplicationWithSecret,
    refuses: [notFound, hasNoSecret],
  }),
  remove: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Remove an application with its consents and tokens',
    input: z.object({ id }),
    output: ApplicationView,
    refuses: [notFound],
  }),
};
