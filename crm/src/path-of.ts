import { resolve } from 'node:path';

/** The path of a file as the person who runs the command means it: npm runs commands in the folder of the project. */
export const pathOf = (file: string, env: NodeJS.ProcessEnv): string => resolve(env.INIT_CWD ?? '', file);
