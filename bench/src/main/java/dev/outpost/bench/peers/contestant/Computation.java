package dev.outpost.bench.peers.contestant;

import dev.outpost.Tensor;
import java.util.List;

/** One step as a program of ours has it. It may open no scope, close nothing and look at nothing: variants do. */
@FunctionalInterface
public interface Computation {
    Tensor step(List<Tensor> inputs);
}
