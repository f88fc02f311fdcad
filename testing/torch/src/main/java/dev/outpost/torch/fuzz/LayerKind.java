package dev.outpost.torch.fuzz;

import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.GELU;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.RMSNorm;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.SiLU;
import dev.outpost.nn.Softplus;
import dev.outpost.nn.Tanh;
import java.util.List;
import java.util.function.Function;

/** A layer of random programs: its name in PyTorch, and the way to make it here with the same sizes. */
enum LayerKind {
    LINEAR("Linear", sizes -> new Linear(sizes.get(0), sizes.get(1))),
    LAYER_NORM("LayerNorm", sizes -> new LayerNorm(sizes.get(0))),
    RMS_NORM("RMSNorm", sizes -> new RMSNorm(sizes.get(0))),
    BATCH_NORM("BatchNorm1d", sizes -> new BatchNorm1d(sizes.get(0))),
    EMBEDDING("Embedding", sizes -> new Embedding(sizes.get(0), sizes.get(1))),
    CONV2D("Conv2d", sizes -> new Conv2d(sizes.get(0), sizes.get(1), sizes.get(2))),
    RELU("ReLU", sizes -> new ReLU()),
    TANH("Tanh", sizes -> new Tanh()),
    GELU("GELU", sizes -> new GELU()),
    SILU("SiLU", sizes -> new SiLU()),
    SOFTPLUS("Softplus", sizes -> new Softplus());

    private final String python;
    private final Function<List<Long>, Module> make;

    LayerKind(String python, Function<List<Long>, Module> make) {
        this.python = python;
        this.make = make;
    }

    String python() {
        return python;
    }

    Module make(List<Long> sizes) {
        return make.apply(sizes);
    }
}
