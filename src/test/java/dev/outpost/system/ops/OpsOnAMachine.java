package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.function.Executable;

/** A machine for the tests of ops, with short names for frequent calls. */
abstract class OpsOnAMachine {
    static final double NAN = Double.NaN;
    static final double INF = Double.POSITIVE_INFINITY;

    static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    /** float64, one dimension. */
    static Tensor doubles(double... values) {
        return machine.tensor(values, values.length);
    }

    /** float32, one dimension. */
    static Tensor floats(double... values) {
        return doubles(values).float32();
    }

    /** int64, one dimension. */
    static Tensor longs(long... values) {
        return machine.tensor(values, values.length);
    }

    static Tensor bools(boolean... values) {
        return machine.tensor(values, values.length);
    }

    static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OpException.class, call).getMessage());
    }

    /** NaN and infinities must be equal, other numbers nearly equal. */
    static void assertValues(Tensor actual, double... expected) {
        double[] values = actual.toDoubleArray();
        assertEquals(expected.length, values.length);
        double[] finite = expected.clone();
        for (int i = 0; i < expected.length; i++) {
            if (!Double.isFinite(expected[i])) {
                assertEquals(expected[i], values[i], "element " + i);
                finite[i] = 0;
                values[i] = 0;
            }
        }
        Closeness.assertClose(finite, HostTensor.of(values).to(actual.dtype()));
    }

    static void assertTruth(Tensor actual, boolean... expected) {
        assertEquals(DType.BOOL, actual.dtype());
        assertArrayEquals(expected, actual.toBooleanArray());
    }

    static void assertIs(DType dtype, Shape shape, Tensor actual) {
        assertEquals(dtype, actual.dtype());
        assertEquals(shape, actual.shape());
    }

    /** The gradient of the sum of a function's elements at these values of x. */
    static Tensor slope(UnaryOperator<Tensor> function, double... x) {
        Tensor leaf = doubles(x).requiresGrad(true);
        function.apply(leaf).sum().backward();
        return leaf.grad();
    }
}
