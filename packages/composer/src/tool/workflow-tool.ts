import type { JsonSchema, OutputProperty, Tool, ToolAnnotations, Workflow, WorkflowOutput } from '@vmcp/domain'
import { annotationFloor, contradiction, mergeAnnotations } from './annotation-floor.js'
import type { ContradictedHint } from './annotation-floor.js'
import { toolReferences } from './tool-references.js'

/** How a workflow is advertised, or why it is not. */
export type WorkflowTool =
  | {
      readonly type: 'tool'
      /** The tool to list; its hints are never safer than its steps. */
      readonly tool: Tool
    }
  | {
      /** The workflow's own hint looks safer than its steps are: it must be neither listed nor called. */
      readonly type: 'contradiction'
      /** The hint that looks too safe. */
      readonly hint: ContradictedHint
      /** The tools of its steps. */
      readonly tools: readonly string[]
    }

/** The tool that a workflow is to clients. `annotationsOf` gives the hints of a step's tool, undefined when unknown. */
export function workflowTool(
  workflow: Workflow,
  annotationsOf: (reference: string) => ToolAnnotations | undefined,
): WorkflowTool {
  const tools = toolReferences(workflow)
  const floor = annotationFloor(tools.map(annotationsOf))
  const hint = contradiction(workflow.annotations, floor)
  if (hint !== undefined) return { type: 'contradiction', hint, tools }
  const annotations = mergeAnnotations(workflow.annotations, floor)
  return {
    type: 'tool',
    tool: {
      name: workflow.name,
      description: workflow.description,
      inputSchema: workflow.parameters ?? { type: 'object' },
      ...(workflow.output !== undefined && { outputSchema: outputSchema(workflow.output) }),
      ...(annotations !== undefined && { annotations }),
    },
  }
}

function outputSchema({ properties, required }: WorkflowOutput): JsonSchema {
  return {
    type: 'object',
    properties: propertySchemas(properties),
    ...(required !== undefined && required.length > 0 && { required }),
  }
}

function propertySchemas(properties: WorkflowOutput['properties']): JsonSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, propertySchema(property)]))
}

function propertySchema({ type, description, properties }: OutputProperty): JsonSchema {
  return { type, description, ...(properties !== undefined && { properties: propertySchemas(properties) }) }
}
