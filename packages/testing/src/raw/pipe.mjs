// A stdio program that is a pipe to the test that scripts it. Argument: the port of that test.
import { connect } from 'node:net'

const socket = connect(Number(process.argv[2]), '127.0.0.1')
socket.write(`${JSON.stringify({ pid: process.pid })}\n`)
process.stdin.pipe(socket)
socket.pipe(process.stdout)
socket.on('error', () => {})
socket.on('close', () => process.exit(0))
process.stdin.on('end', () => process.exit(0))
