package dev.outpost.internal.text;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Internals;
import dev.outpost.internal.graph.Edge;
import dev.outpost.internal.transfer.Reading;
import java.util.ArrayList;
import java.util.List;

/** A remote tensor as PyTorch prints it; of a large one, only the elements that are shown travel. */
public final class TensorPrinter {
    private TensorPrinter() {}

    public static String print(Tensor tensor) {
        HostTensor shown = GradMode.with(false, () -> Reading.await(edges(tensor)));
        return TensorFormat.format(tensor.shape(), shown, suffixes(tensor));
    }

    private static Tensor edges(Tensor tensor) {
        Tensor shown = tensor;
        for (int dim = 0; dim < tensor.dim(); dim++) {
            if (TensorFormat.isCut(tensor.shape(), dim)) {
                long[] indices = TensorFormat.shownIndices(tensor.shape(), dim);
                int head = indices.length / 2;
                Tensor first = shown.narrow(dim, 0, head);
                Tensor last = shown.narrow(dim, indices[head], indices.length - head);
                shown = Tensors.cat(List.of(first, last), dim);
            }
        }
        return shown;
    }

    private static List<String> suffixes(Tensor tensor) {
        List<String> suffixes = new ArrayList<>();
        Edge edge = Internals.gradientEdge(tensor);
        if (edge != null) {
            suffixes.add(
                    tensor.isLeaf()
                            ? "requires_grad=True"
                            : "grad_fn=<" + edge.node().label() + ">");
        }
        return suffixes;
    }
}
