export { createGateway } from './app.ts';
export { errorCodes, errorCodesOf } from './error-docs.ts';
export type { Admission } from './mount.ts';
export { openApiDocument } from './openapi/document.ts';
export { openCounters } from './request-counters.ts';
export { contracts, type Route, routes, webRoutes } from './routes.ts';
export { errorGuide } from './site/error-guide.ts';
export { withServiceToken } from './with-service-token.ts';
