package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever the planner and the engine do, a program in float32 is not much further from the same program in float64 than
 * float32 itself is, as {@code reference} computes it one instruction at a time.
 */
class FloatErrorTest {
    private static final long FIRST_SEED = 4_711;
    private static final int STEPS = 60;
    private static final int RESULTS = 4;

    /** How many times as far as float32: another order of a sum and another rounding of a curve are as good. */
    private static final double MULTIPLE = 8;

    /** Of the largest magnitude: where float32 loses nothing by chance, the last bit may still differ. */
    private static final double LAST_BIT = 0x1p-23;

    private static final Engine CPU = new CpuEngine();
    private static final Engine REFERENCE = new ReferenceEngine();
    private static final RuntimeHost FAST = new RuntimeHost(CPU, RuntimeSettings.withQuota(1 << 28));
    private static final RuntimeHost MEANT = new RuntimeHost(REFERENCE, RuntimeSettings.withQuota(1 << 28));

    @AfterAll
    static void close() {
        FAST.close();
        MEANT.close();
        CPU.close();
        REFERENCE.close();
    }

    @Test
    void randomPrograms() throws InterruptedException {
        compare(60);
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(3000);
    }

    private static void compare(int programs) throws InterruptedException {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + programs; seed++) {
            FloatProgram program = FloatProgram.of(seed, STEPS);
            double[][] exact = run(MEANT, program, DType.FLOAT64);
            double[][] meant = run(MEANT, program, DType.FLOAT32);
            double[][] fast = run(FAST, program, DType.FLOAT32);
            for (int result = 0; result < RESULTS; result++) {
                double allowed = Math.max(distance(meant[result], exact[result]), LAST_BIT * largest(exact[result]));
                double lost = distance(fast[result], exact[result]);
                String what = "result " + result + " of the program with seed " + seed + ": lost " + lost + ", float32 "
                        + allowed;
                assertTrue(lost <= MULTIPLE * allowed, what);
            }
        }
    }

    private static double[][] run(RuntimeHost host, FloatProgram program, DType dtype) throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(program.record(dtype, RESULTS));
        double[][] results = new double[RESULTS][];
        for (int result = 0; result < RESULTS; result++) {
            results[result] = elements(
                    dtype, client.fetch(result + 1, program.values() - result).bytes());
        }
        client.goodbye();
        client.cut();
        return results;
    }

    private static double[] elements(DType dtype, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        double[] elements = new double[bytes.length / dtype.bytes()];
        for (int index = 0; index < elements.length; index++) {
            elements[index] = dtype == DType.FLOAT32 ? in.getFloat() : in.getDouble();
        }
        return elements;
    }

    private static double distance(double[] one, double[] other) {
        double most = 0;
        for (int index = 0; index < one.length; index++) {
            most = Math.max(most, Math.abs(one[index] - other[index]));
        }
        return most;
    }

    private static double largest(double[] elements) {
        return distance(elements, new double[elements.length]);
    }
}
