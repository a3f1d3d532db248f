/**
 * The configuration of a gateway in front of one backend that leaves every name as it is.
 * @param {string} url
 */
export function frontOf(url) {
  return {
    name: 'conformance',
    backends: [{ name: 'backend', url }],
    aggregation: { conflictResolution: 'priority', conflictResolutionConfig: { priorityOrder: ['backend'] } },
  }
}
