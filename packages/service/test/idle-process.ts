import { createLog } from '../src/log.ts';
import { runProcess } from '../src/run-process.ts';

/** A process whose server does nothing. */
await runProcess(process.env, (level) => ({
  name: 'idle',
  log: createLog('idle', level),
  start: async () => {
    const running = setInterval(() => undefined, 60_000);
    return { url: String(process.pid), close: async () => clearInterval(running) };
  },
}));
