package dev.outpost.gpucheck.engine;

import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The time of the first run of a kernel, compiled for it and found in a folder: two engines, one after the other.
 *
 * @param kernels the number of kernels over which the time is averaged
 */
record CompileSpeed(Function<EngineSettings, Engine> engines, int kernels) {
    private static final Op[] FIRST = {Unary.NEG, Unary.ABS, Unary.SQRT, Unary.EXP};
    private static final Op[] SECOND = {Unary.TANH, Unary.SIGMOID, Unary.FLOOR, Unary.RELU};
    private static final TensorType TYPE = new TensorType(DType.FLOAT32, Shape.of(16));

    GpuFinding measure() {
        try {
            Path folder = Files.createTempDirectory("outpost-kernels");
            try {
                return measure(EngineSettings.withKernels(folder));
            } finally {
                delete(folder);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private GpuFinding measure(EngineSettings settings) {
        double cold = milliseconds(settings);
        double warm = milliseconds(settings);
        return GpuFinding.of(
                Map.of("cold milliseconds", cold, "warm milliseconds", warm),
                "the first run of a kernel: %.1f ms compiled, %.2f ms out of its folder; aims 100 and 1",
                cold,
                warm);
    }

    /** Returns the average time of a kernel, without the code that the engine compiles and loads first. */
    private double milliseconds(EngineSettings settings) {
        try (Engine engine = engines.apply(settings)) {
            run(engine, Unary.CEIL, Unary.RELU);
            long start = System.nanoTime();
            for (int kernel = 0; kernel < kernels; kernel++) {
                run(engine, FIRST[kernel / SECOND.length], SECOND[kernel % SECOND.length]);
            }
            return (System.nanoTime() - start) / 1e6 / kernels;
        }
    }

    private static void run(Engine engine, Op first, Op second) {
        Graph graph = OpGraphs.chain(TYPE, first, second);
        int last = graph.instructions().getLast().result(0);
        Kernel kernel = engine.compile(new FusedMap(graph.instructions(), value -> value == last));
        Array in = allocate(engine);
        Array out = allocate(engine);
        engine.write(in.buffer(), 0, new Slice(new byte[(int) TYPE.bytes()]));
        kernel.run(second, new Array[] {in}, new Array[] {out});
        engine.read(out, 0, 1);
        List.of(in, out).forEach(array -> engine.release(array.buffer()));
    }

    private static Array allocate(Engine engine) {
        return Array.contiguous(engine.allocate(TYPE.dtype(), TYPE.shape().elements()), TYPE.shape());
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
