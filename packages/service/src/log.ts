import { destination, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on standard output, or in a file that only its owner can read. Only ids, names of operations and durations
 * are logged; the list below is a safeguard for what must never be.
 */
export function createLog(service: string, level: LogLevel, file?: string) {
  const options: LoggerOptions = {
    level,
    base: { service },
    redact: {
      paths: [
        'token',
        'password',
        'authorization',
        'email',
        '*.token',
        '*.password',
        '*.authorization',
        '*.email',
      ],
      censor: '…',
    },
    // An error of the driver contains the statement with its values, of which only these facts are logged.
    serializers: {
      err: (error: unknown) => (error instanceof Error ? errorFacts(error) : { message: String(error) }),
    },
  };
  // Synchronous, because flushing at exit what nobody reads any more would never end.
  return pino(options, destination({ dest: file ?? 1, mode: 0o600, sync: true }));
}

function errorFacts(error: Error & { code?: unknown }) {
  const { name, code, stack } = error;
  // MikroORM prefixes the reason with the statement and its values.
  const message = error.message.split(' - ').at(-1);
  const frames = stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { name, message, ...(code !== undefined && { code }), stack: frames?.join('\n') };
}
