// The part of this package without a database, for processes that must not load one.
export {
  addressOf,
  gatewayPort,
  localCarrierName,
  localMailName,
  portOf,
  portsOfSystem,
  variablePrefix,
} from './addresses.ts';
export { askIdentity } from './ask-identity.ts';
export { machineClock } from './clock.ts';
export { collectGarbageWhenIdle } from './collect-garbage.ts';
export { readServiceToken, readServiceUrl } from './config.ts';
export { disconnectionOf } from './disconnection.ts';
export { drainSeconds, drainWhenClosing } from './drain.ts';
export { ConfigurationError, readEnvironment } from './environment.ts';
export { keepOrder } from './keep-order.ts';
export { createLog, gatheringMs, type LogLevel, reasonOf } from './log.ts';
export { networkOf } from './network.ts';
export { ownCredentials } from './own-credentials.ts';
export {
  type RateLimits,
  rateLimitsOf,
  rateLimitVariables,
  variablesOfRateLimits,
} from './rate-limits.ts';
export { maxStopMs, runProcess } from './run-process.ts';
export {
  startTelemetry,
  type TelemetryOptions,
  telemetryOptionsOf,
  telemetryVariables,
  tracingEnvironment,
} from './telemetry-options.ts';
export { tracedServices } from './traced-service.ts';
export * as variables from './variables.ts';
export { withoutSchemas } from './without-schemas.ts';
