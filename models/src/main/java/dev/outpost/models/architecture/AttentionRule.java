package dev.outpost.models.architecture;

/**
 * The variant of attention in a layer.
 *
 * @param scale the factor of products of queries and keys
 * @param window number of positions that a query attends to, its own included; 0 for all
 * @param softCap the bound of scores, which tanh keeps within ± this value; 0 for none
 */
record AttentionRule(double scale, int window, double softCap) {}
