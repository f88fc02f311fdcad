package dev.outpost.serving.engine;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.List;
import java.util.Set;

/**
 * The request for generated texts.
 *
 * @param prompts tokens; each has {@code choices} texts
 * @param choices how many texts are generated behind each prompt; the seeds of their samplings follow each other
 * @param stops texts that end a text
 * @param stopTokens tokens that end a text and are part of it
 * @param minTokens the number of tokens before which neither a stop text nor a stop token ends a text
 * @param logprobs how many likeliest tokens are told beside each; -1 for no logarithms at all
 * @param constraint what the tokens of a text must match, or null
 * @param key whose it is
 * @param priority of requests that wait, those with the highest go first
 * @param meter hears what each text has used
 * @param deadlineNanos of {@link System#nanoTime}
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
