// bundles suspended-process.ts with the workspace's sources, so that plain node can run it without a build
export default {
  logLevel: 'silent',
  resolve: { conditions: ['@vmcp/source', 'module', 'node', 'development|production'] },
  ssr: { noExternal: [/^@vmcp\//], resolve: { conditions: ['@vmcp/source'] } },
  build: { ssr: 'test/suspended-process.ts', minify: false },
}
