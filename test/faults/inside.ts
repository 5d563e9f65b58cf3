import { flushCompileCache } from 'node:module';
import { setCrashPoint as setDispatchCrashPoint } from '@crm/dispatch';
import { setCrashPoint } from '@crm/messaging';

/*
 * Loaded into a process before its own code, as the environment says: a clock that is wrong, and named points at which
 * the process is killed now and then.
 */

// Node keeps what it has compiled when a process exits, and a killed one never does.
setTimeout(flushCompileCache, 5_000).unref();

const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const chance = Number(process.env.CRASH_CHANCE ?? 0);

const queues = ['account-mail', 'alert', 'lead-route-alert', 'communication', 'task-alert', 'text-notice'];
const steps = ['leased', 'begun', 'sent', 'settled'];

const crash = () => {
  if (Math.random() < chance) process.kill(process.pid, 'SIGKILL');
};

if (chance > 0) {
  setCrashPoint('relay.sent', crash);
  setCrashPoint('consumer.committed', crash);
  for (const queue of queues) for (const step of steps) setDispatchCrashPoint(`${queue}.${step}`, crash);
}

if (skew !== 0) {
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length > 0 ? given : [target.now() + skew], newTarget),
    get: (target, name) => (name === 'now' ? () => target.now() + skew : Reflect.get(target, name)),
  });
}
