package dev.outpost.runtime.model;

/**
 * The options for opening a model.
 *
 * @param isOnGpu true if the model runs on the engine's GPU
 * @param isOptimized true if parts of the model may be replaced by faster ones that round differently
 */
public record ModelOptions(boolean isOnGpu, boolean isOptimized) {}
