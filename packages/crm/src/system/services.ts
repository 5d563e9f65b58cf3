/** The services that exist so far, identity first because the others ask it who is calling. */
export const serviceNames = ['identity', 'contacts'] as const;

export type ServiceName = (typeof serviceNames)[number];

/** A value for each service, made all at once. */
export async function forEachService<Value>(
  make: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const entries = await Promise.all(serviceNames.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}
