/** A Standard Schema that lets every value through: results are judged by the test, not by the SDK. */
export const passThrough = {
  '~standard': {
    version: 1 as const,
    vendor: 'vmcp',
    validate: (value: unknown) => ({ value }),
  },
}
