import type { WebRequest } from '@crm/contract';

/**
 * Whether a form was sent by a page of this very origin. Our pages send no referrer, for which browsers write
 * the origin as «null»; who sent it then is known from Sec-Fetch-Site alone.
 */
export function isFromOwnPage({ headers }: Pick<WebRequest, 'headers'>, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const own = new URL(publicUrl).origin;
  if (site === undefined) return origin === own;
  return site === 'same-origin' && (origin === undefined || origin === 'null' || origin === own);
}
