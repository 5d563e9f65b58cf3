export { createGateway } from './app.ts';
export type { Admission } from './backend.ts';
export { errorCodes } from './error-docs.ts';
export { type Counters, openCounters } from './request-counters.ts';
export { contracts, type Route, routes, webRoutes } from './routes.ts';
export { errorGuide } from './site/error-guide.ts';
export { withServiceToken } from './with-service-token.ts';
