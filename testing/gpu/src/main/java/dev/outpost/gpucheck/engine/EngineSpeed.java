package dev.outpost.gpucheck.engine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Measures an engine by the host's clock, from the first launch until the last result can be read. */
final class EngineSpeed {
    private static final int REPEATS = 20;
    private static final int TINY_LAUNCHES = 2000;
    private static final int REPLAYED = 80;
    private static final int REPLAYS = 100;
    private static final Op[] CHAIN = {
        Unary.NEG, Unary.ABS, Unary.SQRT, Unary.EXP, Unary.TANH, Unary.SIGMOID, Unary.FLOOR, Unary.RELU
    };

    private final Engine engine;
    private final CheckSizes sizes;

    EngineSpeed(Engine engine, CheckSizes sizes) {
        this.engine = engine;
        this.sizes = sizes;
    }

    /**
     * Measures a kernel that reads a vector and writes one, regardless of its computation.
     *
     * @param copyRate the bytes per nanosecond that a copy of the device reads and writes
     */
    GpuFinding chain(double copyRate) {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(sizes.chainElements()));
        Graph graph = OpGraphs.chain(type, CHAIN);
        int last = graph.instructions().getLast().result(0);
        Kernel kernel = engine.compile(new FusedMap(graph.instructions(), value -> value == last));
        Array in = random(type);
        Array out = allocate(type);
        double seconds = seconds(kernel, Unary.RELU, new Array[] {in}, out);
        release(in, out);
        double rate = 2.0 * type.bytes() / seconds / 1e9;
        return GpuFinding.of(
                Map.of("GB/s", rate, "of a copy", rate / copyRate),
                "over %d MiB: %.2f ms, %.0f GB/s, %.2f of what a copy reaches; aim 0.85",
                type.bytes() >> 20,
                1e3 * seconds,
                rate,
                rate / copyRate);
    }

    GpuFinding product() {
        int size = sizes.matrix();
        TensorType type = new TensorType(DType.BFLOAT16, Shape.of(1, size, size));
        Matmul op = new Matmul();
        Kernel kernel =
                engine.compile(OpGraphs.of(op, type, type).instructions().getFirst());
        Array left = random(type);
        Array right = random(type);
        Array out = allocate(type);
        double seconds = seconds(kernel, op, new Array[] {left, right}, out);
        release(left, right, out);
        double rate = 2 * Math.pow(size, 3) / seconds / 1e12;
        return GpuFinding.of(Map.of("TFLOP/s", rate), "%d cubed: %.2f ms, %.0f TFLOP/s", size, 1e3 * seconds, rate);
    }

    /** Measures the time of a launch on the host and on the device, with almost no computation. */
    GpuFinding tinyKernels() {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(16));
        Kernel kernel = engine.compile(
                OpGraphs.of(Binary.ADD, type, type).instructions().getFirst());
        Array left = random(type);
        Array out = allocate(type);
        Array[] in = {left, left};
        launch(kernel, Binary.ADD, in, out, 1);
        engine.read(out, 0, 1);
        long start = System.nanoTime();
        launch(kernel, Binary.ADD, in, out, TINY_LAUNCHES);
        double host = (System.nanoTime() - start) / 1e3 / TINY_LAUNCHES;
        engine.read(out, 0, 1);
        double all = (System.nanoTime() - start) / 1e3 / TINY_LAUNCHES;
        release(left, out);
        return GpuFinding.of(
                Map.of("host microseconds", host, "microseconds", all),
                "%.2f µs of the host a launch, %.2f µs in all",
                host,
                all);
    }

    /** Measures the time of a kernel if many dependent ones are launched as one. */
    GpuFinding replayedKernels() {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(16));
        Kernel kernel = engine.compile(
                OpGraphs.of(Binary.ADD, type, type).instructions().getFirst());
        Array left = random(type);
        Array out = allocate(type);
        List<Launch> launches = Collections.nCopies(
                REPLAYED, new Launch(kernel, Binary.ADD, new Array[] {out, left}, new Array[] {out}));
        launch(kernel, Binary.ADD, new Array[] {left, left}, out, 1);
        replay(launches, 2);
        engine.read(out, 0, 1);
        long start = System.nanoTime();
        boolean isGraph = replay(launches, REPLAYS);
        double host = (System.nanoTime() - start) / 1e3 / REPLAYS / REPLAYED;
        engine.read(out, 0, 1);
        double all = (System.nanoTime() - start) / 1e3 / REPLAYS / REPLAYED;
        engine.forgetGroup(this);
        release(left, out);
        if (!isGraph) {
            throw new IllegalStateException("the kernels did not run as a graph");
        }
        return GpuFinding.of(
                Map.of("host microseconds", host, "microseconds", all),
                "%d as one: %.2f µs of the host a kernel, %.2f µs in all",
                REPLAYED,
                host,
                all);
    }

    /**
     * Measures the time until a finished kernel is reported, and checks that the device's clock is not ahead of the host's.
     */
    GpuFinding fences() throws InterruptedException {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(sizes.chainElements()));
        Kernel kernel = engine.compile(
                OpGraphs.of(Binary.ADD, type, type).instructions().getFirst());
        Array left = random(type);
        Array out = allocate(type);
        Array[] in = {left, left};
        launch(kernel, Binary.ADD, in, out, 1);
        engine.fence().await();
        double told = toldMicroseconds();
        long begin = System.nanoTime();
        Stamp start = engine.stamp();
        launch(kernel, Binary.ADD, in, out, REPEATS);
        Fence end = engine.fence();
        end.await();
        double host = (System.nanoTime() - begin) / 1e3 / REPEATS;
        double device = (end.nanos() - start.nanos()) / 1e3 / REPEATS;
        release(left, out);
        if (device < 0 || device > host) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "a kernel took %.1f µs by the device's clock, and %.1f µs by the host's until that was known",
                    device,
                    host));
        }
        return GpuFinding.of(
                Map.of("microseconds until told", told, "device microseconds", device, "host microseconds", host),
                "%.1f µs until an idle queue's fence is told of; a kernel of %.1f µs by the device's clock, %.1f by the host's",
                told,
                device,
                host);
    }

    private double toldMicroseconds() throws InterruptedException {
        long begin = System.nanoTime();
        for (int time = 0; time < REPLAYS; time++) {
            engine.fence().await();
        }
        return (System.nanoTime() - begin) / 1e3 / REPLAYS;
    }

    private boolean replay(List<Launch> launches, int times) {
        boolean isGraph = true;
        for (int time = 0; time < times; time++) {
            isGraph &= engine.run(this, 0, launches);
        }
        return isGraph;
    }

    // ---- the measurement

    private double seconds(Kernel kernel, Op op, Array[] in, Array out) {
        launch(kernel, op, in, out, 2);
        engine.read(out, 0, 1);
        long start = System.nanoTime();
        launch(kernel, op, in, out, REPEATS);
        engine.read(out, 0, 1);
        return (System.nanoTime() - start) / 1e9 / REPEATS;
    }

    private static void launch(Kernel kernel, Op op, Array[] in, Array out, int times) {
        Array[] results = {out};
        for (int time = 0; time < times; time++) {
            kernel.run(op, in, results);
        }
    }

    private Array allocate(TensorType type) {
        return Array.contiguous(engine.allocate(type.dtype(), type.shape().elements()), type.shape());
    }

    /** Returns random bits without infinities and NaN, because zeros are multiplied faster than other numbers. */
    private Array random(TensorType type) {
        Array array = allocate(type);
        byte[] bytes = new byte[1 << 20];
        ThreadLocalRandom.current().nextBytes(bytes);
        int width = type.dtype().bytes();
        for (int last = width - 1; last < bytes.length; last += width) {
            bytes[last] = (byte) (bytes[last] & 0x80 | 0x3f);
        }
        for (long done = 0; done < type.bytes(); done += bytes.length) {
            int length = (int) Math.min(bytes.length, type.bytes() - done);
            engine.write(array.buffer(), done / width, new Slice(bytes, 0, length));
        }
        return array;
    }

    private void release(Array... arrays) {
        List.of(arrays).forEach(array -> engine.release(array.buffer()));
    }
}
