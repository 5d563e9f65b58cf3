import type { CarrierOptions, openCarrier as open } from './carrier.ts';

type Carrier = ReturnType<typeof open>;

/**
 * Sends texts and calls to a provider. The implementation is loaded when the first one is sent, because many processes never send
 * any.
 */
export function openCarrier(options: CarrierOptions, timeoutMs: number): Carrier {
  let carrier: Promise<Carrier> | undefined;
  const opened = () => {
    carrier ??= import('./carrier.ts').then(({ openCarrier }) => openCarrier(options, timeoutMs));
    return carrier;
  };
  return {
    text: async (text) => (await opened()).text(text),
    call: async (call) => (await opened()).call(call),
    find: async (lost) => (await opened()).find(lost),
    close: async () => (await carrier)?.close(),
  };
}
