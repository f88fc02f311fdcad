package dev.outpost.serving.engine;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.List;
import java.util.Set;

/**
 * The request for generated texts.
 *
 * @param prompts tokens; each has {@code choices} texts
 * @param choices the number of texts for each prompt; their sampling seeds are consecutive
 * @param stops texts that end a text
 * @param stopTokens tokens that end a text and are part of it
 * @param minTokens the number of tokens before which neither a stop text nor a stop token ends a text
 * @param logprobs the number of likeliest tokens to report with each token; -1 for no log probabilities
 * @param constraint the constraint on the tokens of a text, or null
 * @param key the key of the caller
 * @param priority the requests with the highest priority leave the queue first
 * @param meter receives the use of each text
 * @param deadlineNanos the deadline, in the time of {@link System#nanoTime}
 */
public record TextRequest(
        List<int[]> prompts,
        int choices,
        Sampling sampling,
        List<String> stops,
        Set<Integer> stopTokens,
        int minTokens,
        int logprobs,
        TokenConstraint constraint,
        String key,
        int priority,
        UsageMeter meter,
        long deadlineNanos) {}
