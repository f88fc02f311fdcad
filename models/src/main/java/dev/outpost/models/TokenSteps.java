package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Computes the tokens of a batch of texts, step by step. One thread at a time. */
public interface TokenSteps {
    /**
     * Computes the prompts, and chooses the first token behind each. Does not wait.
     *
     * @param constraint what each text must match, or null
     */
    CompletableFuture<HostTensor> begin(List<int[]> prompts, Sampling sampling, @Nullable TokenConstraint constraint);

    /** The next token of each text. Does not wait. */
    CompletableFuture<HostTensor> next();

    /** Lets go of what the texts took. */
    void end();
}
