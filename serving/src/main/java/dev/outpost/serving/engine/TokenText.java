package dev.outpost.serving.engine;

import java.util.List;

/**
 * A token with its log probability.
 *
 * @param text the text of the token with its leading blank; U+FFFD for a part of a character, and empty for a special token
 * @param name a name that is unique to the token: its text, the name of a special token, or the bytes of a part of a character
 * @param bytes the bytes of the token, which may be a part of a character
 * @param begin the number of characters of the answer before the token
 * @param likeliest the likeliest alternatives, the best first
 */
public record TokenText(String text, String name, byte[] bytes, int begin, double logprob, List<TokenText> likeliest) {}
