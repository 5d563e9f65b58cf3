/** The limits of a server on requests. Errors and the documentation mention these numbers. */
export const requestLimits = {
  bodyMiB: 1,
  /** Of a page, OAuth or a callback. */
  webBodyKiB: 64,
  queryCharacters: 32_768,
  /** Larger than the longest query, so that a query that is too long gets its own error. */
  headersKB: 48,
  /** In a query or a form. Enough for a list of 1,000 ids. */
  parameters: 1_200,
} as const;

/** `$limit` of a list. */
export const pageLimits = { default: 10, max: 1_000 } as const;

/** How many custom fields a user may create: each contact is shown with all of them. */
export const maxCustomFields = 500;

/** 32768 as "32,768". Without `Intl`, which would slow down each start. */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
