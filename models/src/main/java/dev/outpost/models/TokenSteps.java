package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Computes the tokens of a batch of texts, step by step. Not thread-safe. */
public interface TokenSteps {
    /**
     * Computes the prompts, and chooses the first token after each. Does not wait.
     *
     * @param constraint the constraint that each text must match, or null
     */
    CompletableFuture<HostTensor> begin(List<int[]> prompts, Sampling sampling, @Nullable TokenConstraint constraint);

    /** Computes the next token of each text. Does not wait. */
    CompletableFuture<HostTensor> next();

    /** Releases the memory of the texts. */
    void end();
}
