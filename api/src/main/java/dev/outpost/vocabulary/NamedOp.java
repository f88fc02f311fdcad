package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import java.util.List;

/** How one of PyTorch's ops is called here. */
@FunctionalInterface
interface NamedOp {
    /** The results of the call, flattened in order. */
    List<Tensor> compute(OpCall call);
}
