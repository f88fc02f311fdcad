package dev.outpost.bench.peers.contestant;

import dev.outpost.Tensor;
import java.util.List;

/** One step as a program for Outpost. It must not open scopes, close tensors or read results, because variants do. */
@FunctionalInterface
public interface Computation {
    Tensor step(List<Tensor> inputs);
}
