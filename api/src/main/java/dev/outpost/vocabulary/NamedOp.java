package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import java.util.List;

/** How one of PyTorch's ops is called here. */
@FunctionalInterface
interface NamedOp {
    /** What the call returns, flattened in order. */
    List<Tensor> compute(Call call);
}
