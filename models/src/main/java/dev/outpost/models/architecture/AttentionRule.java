package dev.outpost.models.architecture;

/**
 * How a layer attends.
 *
 * @param scale what products of queries and keys are multiplied by
 * @param window how many positions a query looks back on, its own included; 0 for all
 * @param softCap scores are held within ± this, by a tangent; 0 for none
 */
record AttentionRule(double scale, int window, double softCap) {}
