package dev.outpost.runtime.model;

/**
 * How a model is opened.
 *
 * @param isOnGpu true to run it on the GPU of the engine
 * @param isOptimized true if parts of it may be replaced by others that round differently
 */
public record ModelOptions(boolean isOnGpu, boolean isOptimized) {}
