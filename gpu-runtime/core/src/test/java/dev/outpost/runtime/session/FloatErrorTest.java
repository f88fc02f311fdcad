package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.types.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The error of a planned program in float32 is not much larger than that of float32 itself, as {@code reference} computes it one
 * instruction and one term at a time; float64 is the standard. Because rounding errors may cancel by chance, the error of float32 is the
 * maximum over some inputs that differ only in their last bits.
 */
class FloatErrorTest {
    private static final long FIRST_SEED = 4_711;
    private static final int STEPS = 60;
    private static final int RESULTS = 4;

    private static final int NEARBY = 32;

    /**
     * The allowed multiple of the error of float32: a curve may be off by 3 ulps, while {@code reference} rounds once, by half an ulp,
     * which is a sixth; and twice that, because sums have another order.
     */
    private static final double MULTIPLE = 12;

    /** The allowed error relative to the largest magnitude: if float32 happens to lose nothing, the last bit may still differ. */
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
            double[][] exact = run(MEANT, program.record(DType.FLOAT64, RESULTS), program, DType.FLOAT64);
            double[][] fast = run(FAST, program.record(DType.FLOAT32, RESULTS), program, DType.FLOAT32);
            double[] allowed = new double[RESULTS];
            for (int result = 0; result < RESULTS; result++) {
                allowed[result] = MULTIPLE * LAST_BIT * largest(exact[result]);
            }
            for (int nearby = 0; nearby < NEARBY && !isWithin(fast, exact, allowed); nearby++) {
                double[] lost = lostByFloat32(program, nearby);
                Arrays.setAll(allowed, result -> Math.max(allowed[result], MULTIPLE * lost[result]));
            }
            assertTrue(isWithin(fast, exact, allowed), "the program with seed " + seed);
        }
    }

    private static boolean isWithin(double[][] fast, double[][] exact, double[] allowed) {
        return IntStream.range(0, RESULTS).allMatch(result -> distance(fast[result], exact[result]) <= allowed[result]);
    }

    /** The error of float32 for each result, with the program's numbers changed in their last bits. */
    private static double[] lostByFloat32(FloatProgram program, int nearby) throws InterruptedException {
        SegmentBuilder inDoubles = program.recordNearby(RESULTS, nearby);
        SegmentBuilder inFloats = program.recordRounded(RESULTS, nearby);
        double[][] exact = run(MEANT, inDoubles, program, DType.FLOAT64);
        double[][] meant = run(MEANT, inFloats, program, DType.FLOAT32);
        double[] lost = new double[RESULTS];
        Arrays.setAll(lost, result -> distance(meant[result], exact[result]));
        return lost;
    }

    private static double[][] run(RuntimeHost host, SegmentBuilder recorded, FloatProgram program, DType dtype)
            throws InterruptedException {
        WireClient client = WireClient.connected(host);
        client.run(recorded);
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
        double max = 0;
        for (int index = 0; index < one.length; index++) {
            max = Math.max(max, Math.abs(one[index] - other[index]));
        }
        return max;
    }

    private static double largest(double[] elements) {
        return distance(elements, new double[elements.length]);
    }
}
