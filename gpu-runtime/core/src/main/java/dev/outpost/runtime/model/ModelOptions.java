package dev.outpost.runtime.model;

/**
 * The options for opening a model.
 *
 * @param isOnGpu true to run it on the GPU of the engine
 * @param isOptimized true if parts of it may be replaced by others that round differently
 */
public record ModelOptions(boolean isOnGpu, boolean isOptimized) {}
