package dev.outpost.models;

/**
 * A text that beam search has found.
 *
 * @param tokens the tokens after the prompt, including the one that ends the text
 * @param score the sum of the logarithms of its tokens' probabilities, divided by the length penalty
 */
public record Beam(int[] tokens, double score) {}
