import type { Profile } from './parts.ts';

interface Answer {
  readonly id: number;
  readonly result?: { readonly profile?: Profile };
  readonly error?: { readonly message: string };
}

/**
 * Samples what a process does that listens for an inspector on a port, twice in a millisecond, until the returned
 * function is called.
 */
export async function recordProfile(port: number): Promise<() => Promise<Profile>> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  if (!target) throw new Error('Nothing listens for an inspector.');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let calls = 0;
  const call = (method: string, params: object = {}): Promise<Answer> => {
    const id = ++calls;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const listen = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== id) return;
      socket.removeEventListener('message', listen);
      if (answer.error) reject(new Error(answer.error.message));
      else resolve(answer);
    };
    socket.addEventListener('message', listen);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 500 });
  await call('Profiler.start');
  return async () => {
    const { result } = await call('Profiler.stop');
    socket.close();
    if (!result?.profile) throw new Error('There is no profile.');
    return result.profile;
  };
}
