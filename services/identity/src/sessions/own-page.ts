import type { WebRequest } from '@crm/contract';

/**
 * Returns true if a page of our origin sent the form. Our pages send no referrer, so browsers send "null" as the
 * origin; then only Sec-Fetch-Site tells where the form comes from.
 */
export function isFromOwnPage({ headers }: Pick<WebRequest, 'headers'>, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const own = new URL(publicUrl).origin;
  if (site === undefined) return origin === own;
  return site === 'same-origin' && (origin === undefined || origin === 'null' || origin === own);
}
