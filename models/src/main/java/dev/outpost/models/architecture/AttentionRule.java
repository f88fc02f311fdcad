package dev.outpost.models.architecture;

/**
 * The variant of attention in a layer.
 *
 * @param scale the factor by which products of queries and keys are multiplied
 * @param window number of positions that a query attends to, including its own; 0 for all
 * @param softCap the bound of the absolute value of scores, applied with tanh; 0 for none
 */
record AttentionRule(double scale, int window, double softCap) {}
