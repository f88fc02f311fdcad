package dev.outpost.bench.peers.contestant;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;

/** One step as a program for DJL has it. What it makes belongs to the manager of its inputs, which ends with the step. */
@FunctionalInterface
public interface DjlComputation {
    NDArray step(NDList inputs);
}
