package dev.outpost.models;

import dev.outpost.HostTensor;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Computes the tokens of a batch of texts, step by step. One thread at a time. */
interface TokenSteps {
    /**
     * Computes the prompts, and chooses the first token behind each. Does not wait.
     *
     * @param most how many tokens will be generated at most
     */
    CompletableFuture<HostTensor> begin(List<int[]> prompts, int most, long seed);

    /** The next token of each text. Does not wait. */
    CompletableFuture<HostTensor> next();

    /** Lets go of what the texts took. */
    void end();
}
