package dev.outpost.serving.engine;

import java.util.List;

/**
 * A token with its logarithm of probability.
 *
 * @param text of the token; a part of a character is U+FFFD
 * @param bytes of the token, also where it is a part of a character
 * @param likeliest instead of it, the best first
 */
public record TokenText(String text, byte[] bytes, double logprob, List<TokenText> likeliest) {}
