// Stages every published package in packages/<name>/.publish, where `changeset publish` takes it from.
import { join } from 'node:path'
import { publishablePackages } from './packaging/publishable.mjs'
import { stagePackage } from './packaging/stage.mjs'

for (const folder of publishablePackages()) stagePackage(folder, join(folder, '.publish'))
