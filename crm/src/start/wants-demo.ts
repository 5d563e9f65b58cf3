import type { StartConfig } from './start-config.ts';

type Reached = Pick<StartConfig, 'host' | 'publicUrl' | 'isProduction'>;

/** Whether the demo agency is added: by default only if nobody else reaches the system, because its tokens are printed. */
export function wantsDemo(asked: boolean | undefined, { host, publicUrl, isProduction }: Reached): boolean {
  return asked ?? (!isProduction && isLoopback(host) && isLoopback(new URL(publicUrl).hostname));
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || /^127(\.\d{1,3}){3}$/.test(host) || /^\[?::1\]?$/.test(host);
