import { z } from 'zod';

/** A missing or invalid setting. The message is for the person who starts the process. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads environment variables by schema; an empty one counts as not set. Throws a ConfigurationError with a sentence for
 * each missing or invalid one.
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv,
): z.output<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`);
  throw new ConfigurationError(sentences.join('\n'));
}
