package dev.outpost;

import java.util.ArrayList;
import java.util.List;

/** A remote tensor as PyTorch prints it; of a large one, only the elements that are shown travel. */
final class TensorPrinter {
    private TensorPrinter() {}

    static String print(Tensor tensor) {
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
        Edge edge = tensor.gradientEdge();
        if (edge != null) {
            suffixes.add(
                    tensor.isLeaf()
                            ? "requires_grad=True"
                            : "grad_fn=<" + edge.node().label() + ">");
        }
        return suffixes;
    }
}
