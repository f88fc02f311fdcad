package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.LayerNorm;
import java.util.Map;

/** Layers for DJL over weights with PyTorch's names. */
final class DjlLayers {
    private DjlLayers() {}

    static NDArray linear(NDArray x, Map<String, NDArray> weights, String name) {
        return Linear.linear(x, weights.get(name + ".weight"), weights.get(name + ".bias"))
                .singletonOrThrow();
    }

    static NDArray layerNorm(NDArray x, Map<String, NDArray> weights, String name) {
        NDArray weight = weights.get(name + ".weight");
        return LayerNorm.layerNorm(x, weight.getShape(), weight, weights.get(name + ".bias"), LayerNormForward.EPS)
                .singletonOrThrow();
    }
}
