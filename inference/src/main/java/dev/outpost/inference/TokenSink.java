package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;

/**
 * Where the tokens of a text go. It is called by the engine's thread, one call after the other, and must not wait: all other
 * texts would wait with it.
 */
public interface TokenSink {
    /**
     * Takes the next token. The token that ends a text is not among them.
     *
     * @param logprobs null unless they were asked for
     * @return whether the text goes on
     */
    boolean accept(int token, TokenLogprobs logprobs);

    /** There are no more tokens. The last call, unless {@link #failed} is. */
    void finished(Finish finish);

    /** There are no more tokens, and the text is not whole. The last call, unless {@link #finished} is. */
    void failed(RuntimeException failure);
}
