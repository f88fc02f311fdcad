package dev.outpost.runtime.cuda.blas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outpost.runtime.cuda.driver.CudaStream;
import dev.outpost.runtime.cuda.driver.DeviceMemory;
import dev.outpost.runtime.cuda.library.CudaCheck;
import dev.outpost.runtime.cuda.library.CudaVersion;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import dev.outpost.runtime.cuda.library.NativeFunction;
import dev.outpost.runtime.cuda.library.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * The binding of cuBLASLt of CUDA 12 or 13, which have the same functions, constants and structures as far as they
 * are used here. All methods but {@link #version} need a device.
 */
public final class CublasLt {
    /** {@code cublasLtMatmulHeuristicResult_t}; it begins with the opaque {@code cublasLtMatmulAlgo_t}. */
    static final StructLayout HEURISTIC = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(8, JAVA_LONG).withName("algorithm"),
            JAVA_LONG.withName("workspace"),
            JAVA_INT.withName("status"),
            JAVA_FLOAT.withName("waves"),
            MemoryLayout.sequenceLayout(4, JAVA_INT));

    private static final MemoryLayout.PathElement STATUS = MemoryLayout.PathElement.groupElement("status");
    private static final int COMPUTE_32F = 68;
    private static final int COMPUTE_32F_FAST_TF32 = 77;
    private static final int TRANSPOSE_A = 3;
    private static final int TRANSPOSE_B = 4;
    private static final int LAYOUT_BATCH_COUNT = 5;
    private static final int LAYOUT_BATCH_DISTANCE = 6;
    private static final int PREFERENCE_WORKSPACE_BYTES = 1;
    private static final int PREFERENCE_REDUCTION_SCHEMES = 3;
    private static final int PREFERENCE_ALIGNMENT_A = 5;
    private static final int PREFERENCE_ALIGNMENT_B = 6;
    private static final int PREFERENCE_ALIGNMENT_C = 7;
    private static final int PREFERENCE_ALIGNMENT_D = 8;
    private static final int REDUCTION_IN_COMPUTE_TYPE = 2;

    private final CudaCheck check;
    private final NativeFunction statusName;
    private final NativeFunction statusText;
    private final NativeFunction version;
    private final NativeFunction create;
    private final NativeFunction destroy;
    private final NativeFunction createProduct;
    private final NativeFunction setProduct;
    private final NativeFunction destroyProduct;
    private final NativeFunction createLayout;
    private final NativeFunction setLayout;
    private final NativeFunction destroyLayout;
    private final NativeFunction createPreference;
    private final NativeFunction setPreference;
    private final NativeFunction destroyPreference;
    private final NativeFunction heuristic;
    private final NativeFunction multiply;

    /**
     * @param library libcublasLt
     * @throws java.util.NoSuchElementException if the library is not cuBLASLt
     */
    public CublasLt(LoadedLibrary library) {
        check = new CudaCheck(this::text);
        statusName = library.function("cublasLtGetStatusName", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        statusText = library.function("cublasLtGetStatusString", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        version = library.function("cublasLtGetVersion", FunctionDescriptor.of(JAVA_LONG));
        create = function(library, "cublasLtCreate", ADDRESS);
        destroy = function(library, "cublasLtDestroy", ADDRESS);
        createProduct = function(library, "cublasLtMatmulDescCreate", ADDRESS, JAVA_INT, JAVA_INT);
        setProduct = function(library, "cublasLtMatmulDescSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        destroyProduct = function(library, "cublasLtMatmulDescDestroy", ADDRESS);
        createLayout =
                function(library, "cublasLtMatrixLayoutCreate", ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        setLayout = function(library, "cublasLtMatrixLayoutSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        destroyLayout = function(library, "cublasLtMatrixLayoutDestroy", ADDRESS);
        createPreference = function(library, "cublasLtMatmulPreferenceCreate", ADDRESS);
        setPreference =
                function(library, "cublasLtMatmulPreferenceSetAttribute", ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        destroyPreference = function(library, "cublasLtMatmulPreferenceDestroy", ADDRESS);
        heuristic = function(library, "cublasLtMatmulAlgoGetHeuristic", pointersAnd(7, JAVA_INT, ADDRESS, ADDRESS));
        multiply = function(library, "cublasLtMatmul", pointersAnd(14, JAVA_LONG, ADDRESS));
    }

    private static MemoryLayout[] pointersAnd(int pointers, MemoryLayout... others) {
        return Stream.concat(Collections.nCopies(pointers, ADDRESS).stream(), Stream.of(others))
                .toArray(MemoryLayout[]::new);
    }

    private static NativeFunction function(LoadedLibrary library, String name, MemoryLayout... parameters) {
        return library.function(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private String text(int code) {
        return NativeText.at(statusName.callPointer(code), "unknown") + ", "
                + NativeText.at(statusText.callPointer(code), "unknown");
    }

    private void call(NativeFunction function, Object... arguments) {
        check.check(function.name(), function.callInt(arguments));
    }

    /** Calls a function that creates an object and writes its address through its first parameter. */
    private MemorySegment make(NativeFunction function, Object... others) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment reference = arena.allocate(ADDRESS);
            Object[] arguments = new Object[others.length + 1];
            arguments[0] = reference;
            System.arraycopy(others, 0, arguments, 1, others.length);
            call(function, arguments);
            return reference.get(ADDRESS, 0);
        }
    }

    public CudaVersion version() {
        return CudaVersion.ofCublas(version.callLong());
    }

    MemorySegment create() {
        return make(create);
    }

    void destroy(MemorySegment handle) {
        call(destroy, handle);
    }

    /** Creates the descriptor of a product that is summed and scaled in float32. */
    MemorySegment createProduct() {
        return createProduct(false);
    }

    /**
     * @param shortProducts true if operands may be rounded to a mantissa of 10 bits (TF32), so that tensor cores can
     *     multiply them
     */
    MemorySegment createProduct(boolean shortProducts) {
        return make(createProduct, shortProducts ? COMPUTE_32F_FAST_TF32 : COMPUTE_32F, MatrixType.FLOAT32.code());
    }

    /** Sets whether each operand is transposed before the multiplication. */
    void transpose(MemorySegment product, boolean a, boolean b) {
        setInt(setProduct, product, TRANSPOSE_A, a ? 1 : 0);
        setInt(setProduct, product, TRANSPOSE_B, b ? 1 : 0);
    }

    private void setInt(NativeFunction set, MemorySegment object, int attribute, int value) {
        try (Arena arena = Arena.ofConfined()) {
            call(set, object, attribute, arena.allocateFrom(JAVA_INT, value), JAVA_INT.byteSize());
        }
    }

    private void setLong(NativeFunction set, MemorySegment object, int attribute, long value) {
        try (Arena arena = Arena.ofConfined()) {
            call(set, object, attribute, arena.allocateFrom(JAVA_LONG, value), JAVA_LONG.byteSize());
        }
    }

    void destroyProduct(MemorySegment product) {
        call(destroyProduct, product);
    }

    /** Creates the layout of a dense column-major matrix. */
    MemorySegment createLayout(MatrixType type, long rows, long columns) {
        return createLayout(type, rows, columns, rows);
    }

    /**
     * Creates the layout of a column-major matrix.
     *
     * @param leading the distance from one column to the next, in elements
     */
    MemorySegment createLayout(MatrixType type, long rows, long columns, long leading) {
        return make(createLayout, type.code(), rows, columns, leading);
    }

    /**
     * Makes a layout describe a batch of matrices.
     *
     * @param distance the distance from one matrix to the next, in elements
     */
    void repeat(MemorySegment layout, long count, long distance) {
        setInt(setLayout, layout, LAYOUT_BATCH_COUNT, Math.toIntExact(count));
        setLong(setLayout, layout, LAYOUT_BATCH_DISTANCE, distance);
    }

    void destroyLayout(MemorySegment layout) {
        call(destroyLayout, layout);
    }

    /** Creates a preference for algorithms that need at most this workspace and keep partial sums in 32 bits. */
    MemorySegment createPreference(long workspaceBytes) {
        MemorySegment preference = make(createPreference);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_LONG, workspaceBytes);
            MemorySegment schemes = arena.allocateFrom(JAVA_INT, REDUCTION_IN_COMPUTE_TYPE);
            call(setPreference, preference, PREFERENCE_WORKSPACE_BYTES, bytes, bytes.byteSize());
            call(setPreference, preference, PREFERENCE_REDUCTION_SCHEMES, schemes, schemes.byteSize());
        }
        return preference;
    }

    /** Works like {@link #createPreference(long)}, for matrices whose addresses have only the given alignments. */
    MemorySegment createPreference(long workspaceBytes, Alignments alignments) {
        MemorySegment preference = createPreference(workspaceBytes);
        setInt(setPreference, preference, PREFERENCE_ALIGNMENT_A, (int) alignments.a());
        setInt(setPreference, preference, PREFERENCE_ALIGNMENT_B, (int) alignments.b());
        setInt(setPreference, preference, PREFERENCE_ALIGNMENT_C, (int) alignments.c());
        setInt(setPreference, preference, PREFERENCE_ALIGNMENT_D, (int) alignments.c());
        return preference;
    }

    void destroyPreference(MemorySegment preference) {
        call(destroyPreference, preference);
    }

    /** Returns the algorithm that is expected to be fastest, as a {@link #HEURISTIC}. */
    MemorySegment heuristic(
            MemorySegment handle, MemorySegment product, Operands layouts, MemorySegment preference, Arena arena) {
        MemorySegment result = arena.allocate(HEURISTIC);
        MemorySegment count = arena.allocate(JAVA_INT);
        MemorySegment c = layouts.c();
        call(heuristic, handle, product, layouts.a(), layouts.b(), c, c, preference, 1, result, count);
        if (count.get(JAVA_INT, 0) == 0) {
            throw new IllegalStateException(heuristic.name() + ": no algorithm for this product");
        }
        check.check(heuristic.name(), result.get(JAVA_INT, HEURISTIC.byteOffset(STATUS)));
        return result;
    }

    /** Computes a planned product of matrices in the device's memory. */
    void multiply(
            MemorySegment handle, PlannedProduct plan, Operands matrices, DeviceMemory workspace, CudaStream stream) {
        MemorySegment memory = MemorySegment.ofAddress(workspace.address());
        multiply(handle, plan, matrices, memory, workspace.bytes(), MemorySegment.ofAddress(stream.address()));
    }

    void multiply(
            MemorySegment handle,
            PlannedProduct plan,
            Operands matrices,
            MemorySegment workspace,
            long workspaceBytes,
            MemorySegment stream) {
        Operands layouts = plan.layouts();
        call(
                multiply,
                handle,
                plan.product(),
                plan.alpha(),
                matrices.a(),
                layouts.a(),
                matrices.b(),
                layouts.b(),
                plan.beta(),
                matrices.c(),
                layouts.c(),
                matrices.c(),
                layouts.c(),
                plan.algorithm(),
                workspace,
                workspaceBytes,
                stream);
    }

    /** A pointer for each operand of {@code c = a b}. */
    record Operands(MemorySegment a, MemorySegment b, MemorySegment c) {}

    /** A product without its matrices: descriptors, and two floats in host memory. */
    record PlannedProduct(
            MemorySegment product,
            Operands layouts,
            MemorySegment algorithm,
            MemorySegment alpha,
            MemorySegment beta) {}
}
