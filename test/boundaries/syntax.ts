import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { textOf } from './sources.ts';

const knownImports = new Map<string, readonly string[]>();

/** What a file imports in any form: static, re-exported, as a type, or at runtime. */
export function importsOf(file: string): readonly string[] {
  const imports = knownImports.get(file) ?? readImports(file);
  knownImports.set(file, imports);
  return imports;
}

function readImports(file: string): string[] {
  const found: string[] = [];
  const add = (source: ESTree.Expression | null) => {
    if (source) found.push(literalOf(source, file));
  };
  const visitor = new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression({ callee, arguments: [first] }) {
      const isResolve =
        callee.type === 'MemberExpression' &&
        callee.object.type === 'MetaProperty' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'resolve';
      if (isResolve && first && first.type !== 'SpreadElement') add(first);
    },
  });
  visitor.visit(programOf(file));
  return found;
}

export interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

/**
 * The functions with more lines than the limit. Callbacks of describe and it do not count as functions, and the
 * operations that are given to implement() count one by one and not for the function around them.
 */
export function longFunctionsOf(file: string, limit: number): LongFunction[] {
  const text = textOf(file);
  const { functions, names, suites, operations } = readFunctions(file, text);
  const linesIn = (start: number, end: number) => text.slice(start, end).split('\n').length;
  return functions
    .filter((node) => !suites.has(node))
    .map((node) => {
      const inside = operations.filter(({ start, end }) => node.start < start && end < node.end);
      const lines = inside.reduce(
        (rest, { start, end }) => rest - linesIn(start, end),
        linesIn(node.start, node.end),
      );
      return { node, lines };
    })
    .filter(({ lines }) => lines > limit)
    .map(({ node, lines }) => {
      const name = node.id?.name ?? names.get(node) ?? `the callback on line ${linesIn(0, node.start)}`;
      return { name, lines };
    });
}

function readFunctions(file: string, text: string) {
  const names = new Map<unknown, string>();
  const suites = new Set<unknown>();
  const operations: ESTree.Span[] = [];
  const functions: FunctionNode[] = [];
  const name = (node: unknown, { start, end }: ESTree.Span) => names.set(node, text.slice(start, end));
  new Visitor({
    VariableDeclarator: ({ id, init }) => name(init, id),
    Property: ({ key, value }) => name(value, key),
    MethodDefinition: ({ key, value }) => name(value, key),
    CallExpression({ callee, arguments: given }) {
      const called = /^\w+/.exec(text.slice(callee.start, callee.end))?.[0] ?? '';
      for (const argument of given) {
        if (called === 'describe' || called === 'it') suites.add(argument);
        if (called === 'implement' && argument.type === 'ObjectExpression') operations.push(argument);
      }
    },
    FunctionDeclaration: (node) => functions.push(node),
    FunctionExpression: (node) => functions.push(node),
    ArrowFunctionExpression: (node) => functions.push(node),
  }).visit(programOf(file));
  return { functions, names, suites, operations };
}

export function programOf(file: string): ESTree.Program {
  const { program, errors } = parseSync(file, textOf(file));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program;
}

/** Throws for an import whose target is computed, because no rule could check it. */
function literalOf(source: ESTree.Expression, file: string): string {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value;
  throw new Error(`${file} imports a computed path.`);
}
