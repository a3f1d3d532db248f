/** A JSON object. Its values are JSON too; they are typed `unknown` because most of them are passed on and not read. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON Schema (2020-12 unless `$schema` says otherwise), kept keyword for keyword. */
export type JsonSchema = JsonObject

/** Metadata that travels beside a request or a result (`_meta` on the wire, MCP "General fields"). */
export type Meta = JsonObject

/** True for a JSON object: not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
