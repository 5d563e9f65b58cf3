import { resolve } from 'node:path';

/** The path of a file from the folder in which the user runs the command: npm runs commands in the project folder. */
export const pathOf = (file: string, env: NodeJS.ProcessEnv): string => resolve(env.INIT_CWD ?? '', file);
