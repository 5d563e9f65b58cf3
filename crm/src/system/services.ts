/** The services that exist so far, each after those that it asks. */
export const serviceNames = [
  'identity',
  'contacts',
  'scheduling',
  'campaigns-templates',
  'leads-routing',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** A value for each service, made one after the other. */
export async function inOrder<Value>(
  make: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const made: Partial<Record<ServiceName, Value>> = {};
  for (const name of serviceNames) made[name] = await make(name);
  return made as Record<ServiceName, Value>;
}

/** A value for each service, made all at once. */
export async function forEachService<Value>(
  make: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const entries = await Promise.all(serviceNames.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}
