import type { Prompt, Tool } from '@vmcp/domain'

/** A tool or prompt of a backend that wants a name. */
export interface Claim<Item extends Tool | Prompt = Tool> {
  readonly backendId: string
  /** What the backend itself calls it. */
  readonly ownName: string
  /** What it is to be called before conflicts are resolved: its own name or the override's. */
  readonly name: string
  /** True when an override exists for it. */
  readonly overridden: boolean
  readonly item: Item
}

/** A claim and the name that a strategy gives it. */
export interface Placed<Item extends Tool | Prompt = Tool> {
  readonly claim: Claim<Item>
  readonly advertisedAs: string
  /** True when the name policy had to change it. */
  readonly repaired: boolean
}
