package dev.outpost.serving.engine;

import dev.outpost.inference.Finish;
import java.util.List;

/**
 * A part of an answer.
 *
 * @param choice the number of the text that it belongs to
 * @param text the new text; may be empty
 * @param tokens the tokens with their log probabilities, if requested
 * @param finish the reason of the end in the last part of a choice, otherwise null
 */
public record TextDelta(int choice, String text, List<TokenText> tokens, Finish finish) {}
