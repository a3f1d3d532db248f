/** The kinds of capability that a caller can name. A template is a `resource`: it is admitted and looked up as one. */
export type CapabilityKind = 'tool' | 'resource' | 'prompt'
