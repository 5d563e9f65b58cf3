import type { WebRequest } from '@crm/contract';
import { isFormToken, newBrowserSecret } from '../sessions/browser-secret.ts';
import { cookieNames, secretIn } from '../sessions/cookies.ts';
import { isFromOwnPage } from '../sessions/own-page.ts';
import { fieldsOf } from './form.ts';

/** The secret of a browser in which nobody has signed in; a new one if it sent none. */
export const visitorSecret = (request: WebRequest): string =>
  secretIn(request, cookieNames.signIn) ?? newBrowserSecret();

/** Returns true if one of our pages rendered the form for this browser and purpose. */
export function isVisitorForm(request: WebRequest, publicUrl: string, purpose: string): boolean {
  const secret = secretIn(request, cookieNames.signIn);
  if (secret === undefined || !isFromOwnPage(request, publicUrl)) return false;
  return isFormToken(fieldsOf(request).get('form_token') ?? '', secret, purpose);
}
