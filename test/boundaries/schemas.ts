import { type ESTree, Visitor } from 'rolldown/utils';
import { textOf } from './sources.ts';
import { programOf } from './syntax.ts';

/** Methods that make a schema from another one. */
const derivations = /^(pick|omit|extend|safeExtend|partial|required|array|nullable|nullish|optional)$/;

/** The lines of a file on which a function makes a schema, or gives queryRows what another call returns. */
export function schemasInFunctionsOf(file: string): number[] {
  const text = textOf(file);
  const lines = new Set<number>();
  let depth = 0;
  const enter = () => {
    depth += 1;
  };
  const leave = () => {
    depth -= 1;
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression(call) {
      if (depth > 0 && makesSchema(call)) lines.add(text.slice(0, call.start).split('\n').length);
    },
  }).visit(programOf(file));
  return [...lines];
}

function makesSchema({ callee, arguments: [, schema] }: ESTree.CallExpression): boolean {
  if (callee.type === 'Identifier') return callee.name === 'queryRows' && schema?.type === 'CallExpression';
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  return rootOf(callee) === 'z' || derivations.test(callee.property.name);
}

/** The name at the beginning of a chain: `z` of `z.iso.datetime().nullable`. */
function rootOf(node: ESTree.Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'CallExpression' ? rootOf(node.callee) : undefined;
}
