package dev.outpost.serving.engine;

import dev.outpost.HostTensor;
import dev.outpost.types.TensorType;
import java.util.List;

/** Checks the inputs of a call against the inputs of a program. */
public final class ProgramInputs {
    private static final int MAX_ROWS = 65_536;

    private ProgramInputs() {}

    /**
     * @throws IllegalArgumentException if there are too few or too many inputs, or an input has another dtype or
     *     shape; the message has the given and the expected value
     */
    public static List<HostTensor> checked(ProgramModel program, List<HostTensor> given) {
        List<TensorType> expected = program.inputs();
        if (given.size() != expected.size()) {
            throw new IllegalArgumentException(
                    "inputs: the program " + program.name() + " takes " + expected.size() + ", got " + given.size());
        }
        for (int place = 0; place < expected.size(); place++) {
            check(program, place, expected.get(place), given.get(place));
        }
        if (program.isBatched()) {
            requireOneCount(given);
        }
        return given;
    }

    private static void check(ProgramModel program, int place, TensorType expected, HostTensor given) {
        boolean isOfDtype = given.dtype() == expected.dtype();
        if (!isOfDtype || !fits(program, expected, given)) {
            throw new IllegalArgumentException("inputs[" + place + "]: the program " + program.name() + " takes "
                    + text(program, expected) + ", got " + new TensorType(given.dtype(), given.shape()));
        }
    }

    private static boolean fits(ProgramModel program, TensorType expected, HostTensor given) {
        int free = program.isBatched() ? 1 : 0;
        if (given.shape().rank() != expected.shape().rank()) {
            return false;
        }
        for (int dim = free; dim < given.shape().rank(); dim++) {
            if (given.shape().size(dim) != expected.shape().size(dim)) {
                return false;
            }
        }
        return true;
    }

    private static String text(ProgramModel program, TensorType expected) {
        String exact = expected.toString();
        return program.isBatched() ? exact.replaceFirst("\\[1", "[rows") : exact;
    }

    private static void requireOneCount(List<HostTensor> given) {
        long rows = given.getFirst().shape().size(0);
        if (rows < 1
                || rows > MAX_ROWS
                || given.stream().anyMatch(input -> input.shape().size(0) != rows)) {
            throw new IllegalArgumentException("inputs: expected 1 to " + MAX_ROWS
                    + " rows, as many in each input, got "
                    + given.stream().map(input -> input.shape().size(0)).toList());
        }
    }
}
