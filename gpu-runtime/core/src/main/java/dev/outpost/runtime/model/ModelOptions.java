package dev.outpost.runtime.model;

/**
 * How a model is opened.
 *
 * @param isOnGpu whether it is to run on the GPU of the engine
 * @param isOptimized whether parts of it may be replaced by others that round differently
 */
public record ModelOptions(boolean isOnGpu, boolean isOptimized) {}
