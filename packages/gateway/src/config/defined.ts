/** The value without the fields that are `undefined`, which `exactOptionalPropertyTypes` tells from absent ones. */
export function defined<const Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<Value>
}

/** `Value` with every field that may be `undefined` optional instead. */
export type Defined<Value> = Value extends unknown
  ? { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] } & {
      [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>
    }
  : never
