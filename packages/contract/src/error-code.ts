/** The code of an error from Node, PostgreSQL or a library; empty without one. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
