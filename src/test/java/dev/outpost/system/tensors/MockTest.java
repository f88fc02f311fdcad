package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** The common part of tests of tensor ops: a machine for each, small tensors, and exact comparisons. */
abstract class MockTest {
    RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    /** 0, 1, 2, … as float64, in separate storage. */
    Tensor counting(long... shape) {
        long elements = 1;
        for (long size : shape) {
            elements *= size;
        }
        return machine.arange(0, elements, 1, DType.FLOAT64).reshape(shape).clone();
    }

    Tensor indices(long... values) {
        return machine.tensor(values);
    }

    Tensor mask(boolean... values) {
        return machine.tensor(values);
    }

    static void assertValues(String shape, Tensor actual, double... expected) {
        assertEquals(shape, actual.shape().toString());
        assertArrayEquals(expected, actual.toDoubleArray());
    }

    static void assertRefuses(String message, Executable call) {
        assertEquals(message, assertThrows(OutpostException.class, call).getMessage());
    }
}
