import { z } from 'zod';
import { formToken, isFormToken } from './browser-secret.ts';

/** Where a user continues after signing in. */
export interface SignInTarget {
  /** A path of our origin, with its query. */
  readonly path: string;
  /** The origin of an application that the path may redirect to. */
  readonly leadsTo: string | null;
}

const Facts = z.tuple([
  z.string().refine((path) => path.startsWith('/') && URL.parse(path, anyOrigin)?.origin === anyOrigin),
  z.string().nullable(),
]);
const anyOrigin = 'https://origin.invalid';

export const maxPathLength = 8192;

/**
 * Writes a target as a query parameter or a form field. It is valid only together with the secret of the browser it was
 * written for, so nobody can send somebody else's browser to a target of their choice. Nothing is stored for visitors
 * who have not signed in.
 */
export function writeTarget(secret: string, { path, leadsTo }: SignInTarget): string {
  const facts = Buffer.from(JSON.stringify([path, leadsTo])).toString('base64url');
  return `${facts}.${formToken(secret, purposeOf(facts))}`;
}

/** The target that was written for the browser with this secret; undefined for any other text. */
export function readTarget(secret: string, text: string): SignInTarget | undefined {
  const [facts = '', proof = ''] = text.split('.');
  if (!isFormToken(proof, secret, purposeOf(facts))) return undefined;
  const [path, leadsTo] = Facts.parse(JSON.parse(Buffer.from(facts, 'base64url').toString()));
  return { path, leadsTo };
}

const purposeOf = (facts: string): string => `continue ${facts}`;
