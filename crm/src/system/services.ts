/** The services, each after those that it calls. */
export const serviceNames = [
  'identity',
  'contacts',
  'scheduling',
  'campaigns-templates',
  'leads-routing',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** The services whose events each service subscribes to. A test compares them with the subscriptions. */
export const readsEventsOf: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  identity: [],
  contacts: ['identity', 'scheduling'],
  scheduling: ['contacts', 'campaigns-templates'],
  'campaigns-templates': ['contacts'],
  'leads-routing': ['identity', 'contacts', 'scheduling', 'campaigns-templates'],
};

/** A value for each service. */
export function eachService<Value>(create: (service: ServiceName) => Value): Record<ServiceName, Value> {
  return Object.fromEntries(serviceNames.map((name) => [name, create(name)])) as Record<ServiceName, Value>;
}

/** A value for each service, created one after the other. */
export async function inOrder<Value>(
  create: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const values: Partial<Record<ServiceName, Value>> = {};
  for (const name of serviceNames) values[name] = await create(name);
  return values as Record<ServiceName, Value>;
}

/** A value for each service, created concurrently. */
export async function forEachService<Value>(
  create: (service: ServiceName) => Promise<Value>,
): Promise<Record<ServiceName, Value>> {
  const entries = await Promise.all(serviceNames.map(async (name) => [name, await create(name)] as const));
  return Object.fromEntries(entries) as Record<ServiceName, Value>;
}
