package dev.outpost.runtime.cuda.kernel;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.cuda.code.AccessPattern;
import dev.outpost.runtime.cuda.code.CudaSource;
import dev.outpost.runtime.cuda.code.ElementCode;
import dev.outpost.runtime.cuda.code.MapKernel;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.Dimensions;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The kernels that compute element by element, including copies. */
public final class Maps {
    /** The maximum number of arguments of a launch. Together they may have 4 KiB. */
    private static final int MAX_ARGUMENTS = 480;

    private static final int ACCESS_BYTES = 16;

    /** The code of an element, and the kernel's source for each access pattern that has occurred. */
    private record Program(ElementCode code, Map<AccessPattern, CudaSource> sources) {
        static Program of(ElementCode code) {
            return new Program(code, new ConcurrentHashMap<>());
        }

        CudaSource source(AccessPattern pattern) {
            return sources.computeIfAbsent(pattern, fresh -> MapKernel.source(code, fresh));
        }
    }

    private final CudaLauncher launcher;
    private final Map<DType, Program> copies = new ConcurrentHashMap<>();

    public Maps(CudaLauncher launcher) {
        this.launcher = launcher;
    }

    /** Returns the kernel of a map. It runs under the engine's lock. */
    public Kernel kernel(FusedMap map) {
        Program program = Program.of(ElementCode.of(map));
        return (_, in, out) -> {
            long refused = run(program, in, out);
            if (refused != CudaLauncher.NOTHING) {
                throw divisionByZero(map, in, out[0].shape(), refused);
            }
        };
    }

    /** Copies elements unchanged. Both layouts have the same shape. */
    public void copy(Array from, Array to) {
        if (from.layout().isContiguous() && to.layout().isContiguous()) {
            copyBytes(
                    CudaLauncher.address(from),
                    CudaLauncher.address(to),
                    to.type().bytes());
            return;
        }
        Program program = copies.computeIfAbsent(to.dtype(), dtype -> Program.of(ElementCode.copy(dtype)));
        run(program, new Array[] {from}, new Array[] {to});
    }

    /** Copies bytes. Does nothing if source and destination are the same (an in-place write). */
    private void copyBytes(long from, long to, long bytes) {
        if (bytes > 0 && from != to) {
            launcher.gpu().copy(to, from, bytes);
        }
    }

    /** Returns the array itself if it is dense, otherwise a copy that the caller releases. */
    Array dense(Array array) {
        if (array.layout().isContiguous()) {
            return array;
        }
        Array copy = launcher.scratch(array.dtype(), array.shape());
        try {
            copy(array, copy);
            return copy;
        } catch (RuntimeException failure) {
            // No kernel uses the copy yet, so it is released. The caller retries, for example after compiling a missing
            // kernel.
            launcher.release(copy);
            throw failure;
        }
    }

    /** Runs the map. Returns the index of the first refused element. */
    private long run(Program program, Array[] in, Array[] out) {
        Shape shape = out[0].shape();
        if (shape.isEmpty()) {
            return CudaLauncher.NOTHING;
        }
        List<Array> arrays = new ArrayList<>(List.of(out));
        arrays.addAll(List.of(in));
        Dimensions dimensions = Dimensions.of(
                shape,
                arrays.stream().map(array -> array.layout().expand(shape)).toArray(Layout[]::new));
        int rank = dimensions.rank();
        if (2 * arrays.size() + rank + 1 + arrays.size() * rank > MAX_ARGUMENTS) {
            return runDense(program, in, out);
        }
        AccessPattern pattern = walk(program.code(), dimensions, arrays);
        KernelArguments arguments = arguments(program.code(), pattern, dimensions, arrays);
        long threads = (dimensions.elements() + pattern.lanes() - 1) / pattern.lanes();
        launcher.run(program.source(pattern), MapKernel.NAME, threads, arguments);
        return program.code().refuses() ? launcher.refused() : CudaLauncher.NOTHING;
    }

    /**
     * Runs the map on dense copies, if there are too many strides for the arguments. Dense operands need no strides.
     */
    private long runDense(Program program, Array[] in, Array[] out) {
        Shape shape = out[0].shape();
        Array[] dense = new Array[in.length];
        try {
            for (int operand = 0; operand < in.length; operand++) {
                dense[operand] = dense(
                        new Array(in[operand].buffer(), in[operand].layout().expand(shape)));
            }
            return run(program, dense, out);
        } finally {
            for (int operand = 0; operand < in.length; operand++) {
                if (dense[operand] != null && dense[operand].buffer() != in[operand].buffer()) {
                    launcher.release(dense[operand]);
                }
            }
        }
    }

    private KernelArguments arguments(
            ElementCode code, AccessPattern pattern, Dimensions dimensions, List<Array> arrays) {
        KernelArguments arguments = new KernelArguments();
        arrays.forEach(array -> arguments.add(CudaLauncher.address(array)));
        arguments.add(dimensions.elements());
        if (code.refuses()) {
            arguments.add(launcher.refusal());
        }
        for (int dim = 1; dim < pattern.rank(); dim++) {
            arguments.add(dimensions.sizes()[dim]);
        }
        for (int array = 0; array < arrays.size(); array++) {
            for (int dim = 0; dim < pattern.rank(); dim++) {
                if (dim < pattern.rank() - 1 || pattern.accesses().get(array) == AccessPattern.Access.STEP) {
                    arguments.add(dimensions.strides()[array][dim]);
                }
            }
        }
        return arguments;
    }

    // ---- the number of elements for each thread

    private static AccessPattern walk(ElementCode code, Dimensions dimensions, List<Array> arrays) {
        List<AccessPattern.Access> accesses = new ArrayList<>();
        for (int array = 0; array < arrays.size(); array++) {
            accesses.add(AccessPattern.Access.of(dimensions.innermostStride(array)));
        }
        int lanes = code.mostLanes();
        while (lanes > 1 && !fits(lanes, dimensions, accesses, arrays)) {
            lanes /= 2;
        }
        return new AccessPattern(dimensions.rank(), lanes, dimensions.isWide(), List.copyOf(accesses));
    }

    private static boolean fits(
            int lanes, Dimensions dimensions, List<AccessPattern.Access> accesses, List<Array> arrays) {
        boolean even = dimensions.rank() == 1 || dimensions.innermostSize() % lanes == 0;
        if (!even || dimensions.elements() < lanes || !accesses.contains(AccessPattern.Access.RUN)) {
            return false;
        }
        for (int array = 0; array < arrays.size(); array++) {
            if (accesses.get(array) == AccessPattern.Access.RUN
                    && !isAligned(lanes, dimensions, array, arrays.get(array))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAligned(int lanes, Dimensions dimensions, int number, Array array) {
        int bytes = lanes * array.dtype().bytes();
        if (bytes > ACCESS_BYTES || CudaLauncher.address(array) % bytes != 0) {
            return false;
        }
        for (int dim = 0; dim < dimensions.rank() - 1; dim++) {
            if (dimensions.strides()[number][dim] % lanes != 0) {
                return false;
            }
        }
        return true;
    }

    // ---- refused values

    private OpException divisionByZero(FusedMap map, Array[] in, Shape shape, long element) {
        Instruction last = map.instructions().getLast();
        if (map.instructions().size() > 1) {
            return new OpException(last.op().label(), "integer division by zero in an instruction of the same kernel");
        }
        Array dividends = in[map.source(last, 0)];
        Layout layout = dividends.layout().expand(shape);
        long position = layout.offset();
        long rest = element;
        for (int dim = shape.rank() - 1; dim >= 0; dim--) {
            position += rest % shape.size(dim) * layout.stride(dim);
            rest /= shape.size(dim);
        }
        return new OpException(
                last.op().label(),
                "integer division by zero, got " + launcher.readInteger(dividends, position) + " and 0");
    }
}
