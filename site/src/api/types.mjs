import { escapeHtml } from "../highlight.mjs";

/** TypeDoc's types as HTML that reads like TypeScript. `link(target, name, package)` gives a name, linked where it is known. */
export function typePrinter(link) {
  const list = (types, between) => types.map((type) => print(type)).join(between);
  const given = (types) => (types === undefined || types.length === 0 ? "" : `&lt;${list(types, ", ")}&gt;`);

  const printers = {
    intrinsic: ({ name }) => escapeHtml(name),
    literal: ({ value }) =>
      value === null ? "null" : escapeHtml(typeof value === "string" ? `"${value}"` : `${value?.value ?? value}`),
    reference: ({ target, name, package: owner, typeArguments }) => link(target, name, owner) + given(typeArguments),
    array: ({ elementType }) => `${within(elementType)}[]`,
    union: ({ types }) => types.map((type) => (isFunction(type) ? `(${print(type)})` : print(type))).join(" | "),
    intersection: ({ types }) => types.map(within).join(" &amp; "),
    typeOperator: ({ operator, target }) => `${operator} ${print(target)}`,
    tuple: ({ elements = [] }) => `[${list(elements, ", ")}]`,
    namedTupleMember: ({ name, isOptional, element }) =>
      `${escapeHtml(name)}${isOptional ? "?" : ""}: ${print(element)}`,
    optional: ({ elementType }) => `${print(elementType)}?`,
    rest: ({ elementType }) => `...${print(elementType)}`,
    indexedAccess: ({ objectType, indexType }) => `${within(objectType)}[${print(indexType)}]`,
    query: ({ queryType }) => `typeof ${print(queryType)}`,
    predicate: ({ name, asserts, targetType }) =>
      `${asserts ? "asserts " : ""}${escapeHtml(name)}${targetType ? ` is ${print(targetType)}` : ""}`,
    conditional: ({ checkType, extendsType, trueType, falseType }) =>
      `${print(checkType)} extends ${print(extendsType)} ? ${print(trueType)} : ${print(falseType)}`,
    mapped: ({ parameter, parameterType, templateType }) =>
      `{ [${escapeHtml(parameter)} in ${print(parameterType)}]: ${print(templateType)} }`,
    inferred: ({ name }) => `infer ${escapeHtml(name)}`,
    templateLiteral: ({ head, tail }) =>
      `\`${escapeHtml(head)}${tail.map(([type, text]) => `\${${print(type)}}${escapeHtml(text)}`).join("")}\``,
    reflection: ({ declaration }) => shape(declaration),
  };

  function print(type) {
    if (type === undefined) return "";
    const printer = printers[type.type];
    if (printer === undefined) throw new Error(`no way to print a type of the kind ${type.type}`);
    return printer(type);
  }

  /** In brackets where what follows would take only a part of it. */
  const within = (type) =>
    ["union", "typeOperator", "conditional"].includes(type.type) || isFunction(type) ? `(${print(type)})` : print(type);
  const isFunction = ({ type, declaration }) => type === "reflection" && declaration.signatures !== undefined;

  function shape({ signatures, children = [], indexSignatures = [] }) {
    if (signatures !== undefined)
      return signatures.map((signature) => `(${parameters(signature)}) =&gt; ${print(signature.type)}`).join(" &amp; ");
    const fields = children.map((child) => {
      const method = child.signatures?.[0];
      const mark = child.flags.isOptional ? "?" : "";
      return method === undefined
        ? `${escapeHtml(child.name)}${mark}: ${print(child.type)}`
        : `${escapeHtml(child.name)}${mark}(${parameters(method)}): ${print(method.type)}`;
    });
    const keys = indexSignatures.map(
      ({ parameters: [key], type }) => `[${escapeHtml(key.name)}: ${print(key.type)}]: ${print(type)}`,
    );
    return `{ ${[...keys, ...fields].join("; ")} }`;
  }

  /** Parameters as they are written; a destructured one has no name worth showing. */
  function parameters({ parameters: all = [] }) {
    return all
      .map(({ name, flags, type, defaultValue }) => {
        const rest = flags.isRest ? "..." : "";
        const optional = flags.isOptional || defaultValue !== undefined ? "?" : "";
        return `${rest}${escapeHtml(name === "__namedParameters" ? "options" : name)}${optional}: ${print(type)}`;
      })
      .join(", ");
  }

  const generics = (all = []) =>
    all.length === 0
      ? ""
      : `&lt;${all.map(({ name, type, default: usual }) => `${escapeHtml(name)}${type ? ` extends ${print(type)}` : ""}${usual ? ` = ${print(usual)}` : ""}`).join(", ")}&gt;`;

  return { print, parameters, generics };
}
