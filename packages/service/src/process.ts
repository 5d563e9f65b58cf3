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
export { machineClock } from './clock.ts';
export { readServiceToken } from './config.ts';
export { drain, drainMs } from './drain.ts';
export { ConfigurationError, readEnvironment } from './environment.ts';
export { createLog, gatheringMs, type Logger, type LogLevel } from './log.ts';
export { metricsOptionsOf, metricsVariables, startMetricsOf } from './metrics-options.ts';
export { networkOf } from './network.ts';
export { identityMs, ownCredentials } from './own-credentials.ts';
export {
  type RateLimits,
  rateLimitsOf,
  rateLimitVariables,
  variablesOfRateLimits,
} from './rate-limits.ts';
export { maxStopMs, runProcess } from './run-process.ts';
export * as variables from './variables.ts';
