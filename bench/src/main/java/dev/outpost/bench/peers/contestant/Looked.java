package dev.outpost.bench.peers.contestant;

import dev.outpost.Tensor;
import java.util.List;

/**
 * The result of a step of Outpost, and the part of it that is read.
 *
 * @param result the whole result
 * @param seen the result, or its sum if it is too large to read
 */
record Looked(Tensor result, Tensor seen) {
    static Looked at(Tensor result) {
        return new Looked(result, result.numel() > Contestant.LOOK ? result.sum() : result);
    }

    /** Returns its one or two tensors. */
    List<Tensor> tensors() {
        return result == seen ? List.of(result) : List.of(result, seen);
    }

    /** Makes one from the tensors that begin like {@link #tensors}. Closes the others. */
    static Looked of(List<Tensor> tensors) {
        Tensor result = tensors.getFirst();
        int own = result.numel() > Contestant.LOOK ? 2 : 1;
        tensors.subList(own, tensors.size()).forEach(Tensor::close);
        return new Looked(result, tensors.get(own - 1));
    }

    void close() {
        tensors().forEach(Tensor::close);
    }
}
