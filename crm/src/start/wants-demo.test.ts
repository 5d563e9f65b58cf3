import { describe, expect, it } from 'vitest';
import { readStartConfig } from './start-config.ts';
import { wantsDemo } from './wants-demo.ts';

describe('the demo agency', () => {
  it.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ HOST: 'localhost', PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '10.0.0.5' }, false],
    [{ HOST: '127.example.com' }, false],
    [{ PUBLIC_URL: 'https://crm.example.com' }, false],
    [{ NODE_ENV: 'production' }, false],
  ])('with %j is added by default: %s', (env, isAdded) => {
    const config = readStartConfig(env);
    expect(wantsDemo(undefined, config)).toBe(isAdded);
    expect(wantsDemo(true, config)).toBe(true);
    expect(wantsDemo(false, config)).toBe(false);
  });
});
