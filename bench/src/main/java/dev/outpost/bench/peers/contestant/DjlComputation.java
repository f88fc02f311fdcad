package dev.outpost.bench.peers.contestant;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;

/** One step as a program for DJL. Its arrays belong to the manager of its inputs, which is closed after the step. */
@FunctionalInterface
public interface DjlComputation {
    NDArray step(NDList inputs);
}
