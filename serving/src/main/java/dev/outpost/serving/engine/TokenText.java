package dev.outpost.serving.engine;

import java.util.List;

/**
 * A token with its logarithm of probability.
 *
 * @param text of the token, with the blank that it begins with; a part of a character is U+FFFD, and a special token has none
 * @param name as the text, and differs between tokens: a special one has its own, and a part of a character its bytes
 * @param bytes of the token, also where it is a part of a character
 * @param begin how many characters of the answer are in front of it
 * @param likeliest instead of it, the best first
 */
public record TokenText(String text, String name, byte[] bytes, int begin, double logprob, List<TokenText> likeliest) {}
