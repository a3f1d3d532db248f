#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { processTerminal } from './cli/terminal.js'
import { runCommandLine } from './cli/run-command-line.js'

// V8 makes the objects of a place in the code old from birth once most of those made there have outlived a collection. Those
// of a hundred calls at one time do, and so do those of a start with many backends; from then on every call would leave
// garbage that only a full collection finds.
setFlagsFromString('--no-allocation-site-pretenuring')

process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal())
