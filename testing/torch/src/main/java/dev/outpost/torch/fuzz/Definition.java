package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.ParityComparison;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Distinguishes the treatment of NaN and infinities by a kernel of PyTorch from a wrong value, by PyTorch's result for the function's
 * definition.
 */
final class Definition {
    static final String REASON =
            "beside NaN or an infinity PyTorch's kernel answers something else than its definition";

    static final String PREPARATION =
            "PyTorch answers the same once integers are cast and shared elements copied before, and of a strided scatter"
                    + " that is a write into a copy";

    private Definition() {}

    /** Returns true if kernel and definition may differ: they agree if all values of a program are finite. */
    static boolean mayDiffer(Stream<HostTensor> values) {
        return values.anyMatch(value -> !isFinite(value));
    }

    static boolean isMet(HostTensor ours, HostTensor defined) {
        return ParityComparison.firstDifference(ours, defined).isEmpty();
    }

    private static boolean isFinite(HostTensor value) {
        return !value.dtype().isFloating()
                || LongStream.range(0, value.shape().elements())
                        .mapToDouble(value::getDouble)
                        .allMatch(Double::isFinite);
    }
}
