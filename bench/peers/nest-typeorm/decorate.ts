/** Calls decorators, which Node does not when it strips types. */
export function decorateProperty(
  target: object,
  name: string,
  ...decorators: readonly ((target: object, name: string) => void)[]
): void {
  for (const decorator of decorators) decorator(target, name);
}

type ParameterDecorator = (target: object, name: string | symbol | undefined, index: number) => void;

interface Route {
  readonly method: MethodDecorator;
  readonly parameters: readonly ParameterDecorator[];
  /** The classes of the parameters, which the compiler would emit. */
  readonly types: readonly unknown[];
}

export function decorateRoute(target: object, name: string, { method, parameters, types }: Route): void {
  for (const [index, parameter] of parameters.entries()) parameter(target, name, index);
  Reflect.defineMetadata('design:paramtypes', types, target, name);
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  if (!descriptor) throw new Error(`There is no method ${name}.`);
  method(target, name, descriptor);
}
