package dev.outpost.cli.parity.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.cli.parity.ParityComparison;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Tells what a kernel of PyTorch's does with NaN and infinities from a wrong value: by what PyTorch makes of the definition. */
final class Definition {
    static final String REASON =
            "beside NaN or an infinity PyTorch's kernel answers something else than its definition";

    private Definition() {}

    /**
     * @param defined what PyTorch makes of the definition
     * @param others what the program has computed so far: where all of it is finite, kernel and definition agree
     */
    static boolean explains(HostTensor ours, HostTensor theirs, HostTensor defined, Stream<HostTensor> others) {
        return ours.dtype().isFloating()
                && ParityComparison.firstDifference(ours, defined).isEmpty()
                && Stream.concat(Stream.of(ours, theirs), others).anyMatch(value -> !isFinite(value));
    }

    private static boolean isFinite(HostTensor value) {
        return !value.dtype().isFloating()
                || LongStream.range(0, value.shape().elements())
                        .mapToDouble(value::getDouble)
                        .allMatch(Double::isFinite);
    }
}
