package dev.outpost.serving.engine;

import dev.outpost.models.CausalLM;
import dev.outpost.models.RowAdapters;
import org.jspecify.annotations.Nullable;

/** A model whose weights are on the machine. The memory for the texts of a decoder is not allocated yet. */
sealed interface LoadedWeights {
    /** A model without a cache, which can serve immediately. */
    record Encoder(ServedModel model) implements LoadedWeights {}

    /**
     * A model that generates texts.
     *
     * @param positions the maximum number of tokens of a text, its prompt included, if the memory suffices
     * @param adapters null without adapters
     */
    record TextDecoder(
            String name,
            CausalLM model,
            int positions,
            @Nullable RowAdapters adapters) implements LoadedWeights {
        CacheBudget.Need need() {
            return new CacheBudget.Need(name, positions, model.cacheBytesPerToken());
        }
    }
}
