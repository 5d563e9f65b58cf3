export { freePort } from './free-port.ts';
export { type NatsOptions, startNats, streamsStoredIn } from './nats.ts';
export { type PostgresOptions, startPostgres } from './postgres.ts';
export { removeAbandoned } from './remove-abandoned.ts';
export { startTimeOf } from './running-process.ts';
export type { EmbeddedServer, ServerOptions } from './start-server.ts';
