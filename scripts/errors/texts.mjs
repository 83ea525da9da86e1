/** The nodes right below one. */
export function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === "string");
}

/** What names stand for where that is a text: constants, and defaults of parameters, of a function or of a whole file. */
export class Scope {
  #names = new Map();
  #parent;

  constructor(owner, parent) {
    this.#parent = parent;
    for (const child of childrenOf(owner)) this.#collect(child);
  }

  /** The scope inside of a node: its own if it is a function. */
  within(node) {
    return isFunction(node) ? new Scope(node, this) : this;
  }

  lookUp(name) {
    return this.#names.get(name) ?? this.#parent?.lookUp(name);
  }

  #collect(node) {
    const [target, value] =
      node.type === "VariableDeclarator"
        ? [node.id, node.init]
        : node.type === "AssignmentPattern"
          ? [node.left, node.right]
          : [];
    if (target?.type === "Identifier" && isText(value)) this.#names.set(target.name, value);
    if (isFunction(node)) return; // what it declares is its own
    for (const child of childrenOf(node)) this.#collect(child);
  }
}

const isFunction = ({ type }) => /Function/.test(type) && !type.startsWith("TS");
export const isText = (node) =>
  ["TemplateLiteral", "ConditionalExpression", "ObjectExpression"].includes(node?.type) ||
  (node?.type === "MemberExpression" && node.computed) ||
  (node?.type === "Literal" && typeof node.value === "string");

/** The texts that an expression can be, with what is only known at run time in braces. */
export function textsOf(node, scope) {
  switch (node.type) {
    case "Literal":
      return [`${node.value}`];
    case "TemplateLiteral":
      return joined(node, scope);
    case "ConditionalExpression":
      return [...textsOf(node.consequent, scope), ...textsOf(node.alternate, scope)];
    case "Identifier": {
      const value = scope.lookUp(node.name);
      return value === undefined ? [`{${node.name}}`] : textsOf(value, scope);
    }
    case "BinaryExpression":
      if (![node.left, node.right].some(isText)) return ["{value}"]; // a sum of numbers
      return textsOf(node.left, scope).flatMap((left) => textsOf(node.right, scope).map((right) => left + right));
    case "MemberExpression": {
      // A text from a table: any of them.
      const table = node.computed ? scope.lookUp(node.object.name) : undefined;
      const rows = table?.type === "ObjectExpression" ? table.properties.map(({ value }) => value) : [];
      return rows.length > 0 && rows.every(isText) ? rows.flatMap((row) => textsOf(row, scope)) : [`{${label(node)}}`];
    }
    default:
      return [`{${label(node)}}`];
  }
}

function joined({ quasis, expressions }, scope) {
  return expressions.reduce(
    (before, expression, k) => {
      const parts = textsOf(expression, scope);
      return before.flatMap((text) => parts.map((part) => `${text}${part}${quasis[k + 1].value.cooked}`));
    },
    [quasis[0].value.cooked],
  );
}

/** A short name for a value. */
function label(node) {
  if (node.type === "Identifier") return node.name;
  if (node.type === "Literal") return `${node.value}`.replaceAll(/\W/g, "") || "value";
  if (node.type === "MemberExpression") return node.property.name ?? label(node.object);
  if (node.type === "CallExpression") return called(node);
  return "value";
}

function called({ callee, arguments: given }) {
  const method = callee.property?.name;
  if (method === "join" && callee.object.name !== "check") return label(callee.object);
  return given.length > 0 ? label(given.at(-1)) : label(callee.object ?? callee);
}
