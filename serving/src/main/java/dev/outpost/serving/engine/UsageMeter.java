package dev.outpost.serving.engine;

import java.time.Duration;

/** Receives the use of a text when the text is over. The engine's thread calls it, so it must not wait. */
public interface UsageMeter {
    /** A meter that ignores all calls. */
    UsageMeter NONE = (promptTokens, cachedTokens, newTokens, time) -> {};

    /**
     * Called when a text is over.
     *
     * @param promptTokens the tokens of its prompt; 0 for a further text of the same prompt
     * @param cachedTokens the tokens of the prompt that had been computed before
     * @param newTokens the number of generated tokens
     * @param time the time since the request
     */
    void used(int promptTokens, int cachedTokens, int newTokens, Duration time);
}
