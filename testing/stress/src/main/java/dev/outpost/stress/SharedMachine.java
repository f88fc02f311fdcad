package dev.outpost.stress;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.util.function.DoubleSupplier;

/** The machine of all races of one JVM, which share its ledger, its handles and its lanes. */
final class SharedMachine {
    static final String CLOSED = "closed";

    private static final RemoteMachine MACHINE = RemoteMachine.of("mock", "A100");

    private SharedMachine() {}

    /** Returns ones that no scope closes. */
    static Tensor ones(long size) {
        return MACHINE.ones(size);
    }

    /** Returns true if the session continues. */
    static boolean works() {
        try (Tensor one = MACHINE.ones(1)) {
            return one.itemDouble() == 1;
        }
    }

    /**
     * Returns the result of a read as text: a whole number, {@link #CLOSED} if it is refused as a user's mistake, or the failure.
     */
    static String seen(DoubleSupplier look) {
        try {
            return Long.toString(Math.round(look.getAsDouble()));
        } catch (OutpostException failure) {
            return failure.getMessage().contains("the tensor")
                            && failure.getMessage().contains("was closed")
                    ? CLOSED
                    : failure.toString();
        }
    }
}
