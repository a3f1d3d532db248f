import { createComposer } from '@vmcp/composer'
import type { Composer } from '@vmcp/composer'
import { silentLogger } from '@vmcp/domain'
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'

import type { View } from '../aggregator/view.js'
import type { CoreConfig } from '../core-config.js'
import { makeOffer } from './make-offer.js'
import type { Offer } from './offer.js'

/** What the composites room does. */
export interface CompositesShape {
  /** What a view advertises with the composite tools it can run. Made once for each view. */
  readonly offer: (view: View) => Offer
  readonly composer: Composer
}

/** The composite tools: workflows that look like tools. Running ones are interrupted when the layer's scope ends. */
export class Composites extends Context.Service<Composites, CompositesShape>()('@vmcp/core/Composites') {
  static layer(config: CoreConfig): Layer.Layer<Composites> {
    const { compositeTools = [], elicitation, workflowObserver, suspension, logger = silentLogger } = config
    const make = Effect.sync((): CompositesShape => {
      const composer = createComposer({
        logger,
        ...(elicitation !== undefined && { elicitation }),
        ...(workflowObserver !== undefined && { observer: workflowObserver }),
        ...(suspension !== undefined && { suspension }),
      })
      const offers = new WeakMap<View, Offer>()
      const logged = new Set<string>()
      const offer = (view: View): Offer => {
        const known = offers.get(view)
        if (known !== undefined) return known
        const made = makeOffer(view, compositeTools)
        offers.set(view, made)
        for (const { subject, message } of made.findings) {
          if (logged.has(message)) continue
          logged.add(message)
          logger.warn(message, { compositeTool: subject })
        }
        return made
      }
      return { composer, offer }
    })
    return Layer.effect(
      Composites,
      Effect.acquireRelease(make, ({ composer }) => Effect.promise(() => composer.close())),
    )
  }
}
