import type { Refused } from '@crm/contract';
import { traceIds } from '@crm/telemetry';
import { destination, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * JSON lines on standard output, or in a file that only its owner can read. Only ids, names of operations and durations
 * are logged; the list below is a safeguard for what must never be.
 */
export function createLog(service: string, level: LogLevel, file?: string) {
  const lines = gathered(file);
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
    hooks: {
      logMethod(args, write, level) {
        const ids = traceIds();
        write.apply(this, ids ? withFields(args, ids) : args);
        if (level >= urgent) lines.flush();
      },
    },
  };
  return pino(options, lines);
}

type Line = Parameters<NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>>[0];

/** A line that also says which span it belongs to. */
function withFields([first, ...others]: Line, fields: object): Line {
  const hasFields = typeof first === 'object' && first !== null;
  return (hasFields ? [{ ...(first as object), ...fields }, ...others] : [fields, first, ...others]) as Line;
}

/** The level of warnings. */
const urgent = 40;

/** The longest time until a line is written. */
export const gatheringMs = 50;
const gatheredLength = 4096;

/** The logs with lines that are not written yet. */
const flushes = new Set<() => void>();
process.on('exit', () => {
  for (const flush of flushes) flush();
});

/** Gathers lines for a moment, because each write costs as much as a short request. */
function gathered(file: string | undefined) {
  // Synchronous, because flushing at exit to a stream that nobody reads any longer would never end.
  const out = destination({ dest: file ?? 1, mode: 0o600, sync: true });
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    flushes.delete(flush);
    if (text !== '') out.write(text);
  };
  return {
    flush,
    write(line: string) {
      if (lines === '') {
        flushes.add(flush);
        setTimeout(flush, gatheringMs).unref();
      }
      lines += line;
      if (lines.length >= gatheredLength) flush();
    },
  };
}

/** What is logged of an error whose stack is of no use. */
export function reasonOf(reason: unknown) {
  if (!(reason instanceof Error)) return { message: String(reason) };
  const { name, code } = reason as Error & { code?: unknown };
  // MikroORM prefixes the reason with the statement and its values.
  const message = reason.message.split(' - ').at(-1);
  return { name, message, ...(code !== undefined && { code }) };
}

/** What is logged of the root cause of an error: the causes in between only say what failed with it. */
export const originOf = (cause: unknown): ReturnType<typeof reasonOf> =>
  cause instanceof Error && cause.cause !== undefined ? originOf(cause.cause) : reasonOf(cause);

function errorFacts(error: Error) {
  const { cause, stack } = error;
  const frames = stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    ...reasonOf(error),
    stack: frames?.join('\n'),
    ...(cause !== undefined && { cause: originOf(cause) }),
  };
}

/** Logs which error a refusal stands for, if no line about its call does. */
export function logCause(log: Logger, refused: Refused | undefined, fields: object): void {
  if (refused?.cause !== undefined) log.warn({ ...fields, cause: originOf(refused.cause) }, 'unavailable');
}
