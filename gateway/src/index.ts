export { createGateway } from './app.ts';
export { openApiDocument } from './openapi/document.ts';
export { type Route, routes } from './routes.ts';
