export { createGateway } from './app.ts';
export { openApiDocument } from './openapi/document.ts';
export { type Route, routes, webRoutes } from './routes.ts';
