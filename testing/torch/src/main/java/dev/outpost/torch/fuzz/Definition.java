package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.ParityComparison;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Tells what a kernel of PyTorch's does with NaN and infinities from a wrong value: by what PyTorch makes of the definition. */
final class Definition {
    static final String REASON =
            "beside NaN or an infinity PyTorch's kernel answers something else than its definition";

    static final String PREPARATION =
            "PyTorch answers the same once integers are cast and shared elements copied before, and of a strided scatter"
                    + " that is a write into a copy";

    private Definition() {}

    /** Where all that a program has computed is finite, kernel and definition agree. */
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
