package dev.outpost.serving.engine;

import java.time.Duration;

/** Hears what a text has used, when it is over. It is called by the engine's thread and must not wait. */
public interface UsageMeter {
    /** Hears nothing. */
    UsageMeter NONE = (promptTokens, cachedTokens, newTokens, time) -> {};

    /**
     * A text is over.
     *
     * @param promptTokens of its prompt; 0 for a further text of the same prompt
     * @param cachedTokens of them, those that had been computed before
     * @param newTokens that were generated
     * @param time since it was asked for
     */
    void used(int promptTokens, int cachedTokens, int newTokens, Duration time);
}
