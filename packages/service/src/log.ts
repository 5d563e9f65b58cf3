import { pino } from 'pino';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on standard output. What is logged are ids, names of operations and durations; the list below
 * is the last fence in front of what must never be.
 */
export function createLog(service: string, level: LogLevel) {
  return pino({
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
    // The error of a driver carries the statement with its values; name, message, code and stack are enough to act on.
    serializers: {
      err: (error: unknown) => (error instanceof Error ? errorFacts(error) : { message: String(error) }),
    },
  });
}

function errorFacts(error: Error & { code?: unknown }) {
  const { name, code, stack } = error;
  // MikroORM puts the statement, values and all, in front of the reason.
  const message = error.message.split(' - ').at(-1);
  const frames = stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { name, message, ...(code !== undefined && { code }), stack: frames?.join('\n') };
}
