/** JSON Schema as far as the documents here need it (OpenAPI 3.1 takes it as it is). */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

/** An object of which all fields are there, and no others. */
export function object(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

export const list = (items: Schema, description?: string): Schema => ({
  type: "array",
  items,
  ...(description !== undefined && { description }),
});
export const text = (description?: string): Schema => ({
  type: "string",
  ...(description !== undefined && { description }),
});
export const real = (description?: string): Schema => ({
  type: "number",
  ...(description !== undefined && { description }),
});
export const whole = (description?: string): Schema => ({
  type: "integer",
  minimum: 0,
  ...(description !== undefined && { description }),
});
export const counts = (description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: { type: "integer", minimum: 0 },
});
export const numbers = (description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: { type: "number" },
});
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
