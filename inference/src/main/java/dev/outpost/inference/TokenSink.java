package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;

/**
 * Receives the tokens of a text. The engine's thread makes the calls, one after the other. A call must not wait, because all
 * other texts would wait with it.
 */
public interface TokenSink {
    /**
     * Receives the next token. The token that ends a text is not passed.
     *
     * @param logprobs null unless the request asked for them
     * @return true to continue the text, false to end it
     */
    boolean accept(int token, TokenLogprobs logprobs);

    /** Called once, after the last token, if the text ended without a failure. */
    void finished(Finish finish);

    /** Called once, instead of {@link #finished}, if the text failed. */
    void failed(RuntimeException failure);
}
