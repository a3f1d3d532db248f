/** Common ground of every error this project promises. Tell them apart by `_tag` or by class. */
export abstract class TaggedError extends Error {
  abstract readonly _tag: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}
