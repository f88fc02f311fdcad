package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.cuda.code.ElementCode;
import dev.outpost.runtime.cuda.code.RowCode;
import dev.outpost.runtime.cuda.device.CollectiveLibrary;
import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.kernel.AttentionPrimitives;
import dev.outpost.runtime.cuda.kernel.Creation;
import dev.outpost.runtime.cuda.kernel.CumulativeKernels;
import dev.outpost.runtime.cuda.kernel.Folds;
import dev.outpost.runtime.cuda.kernel.Indexing;
import dev.outpost.runtime.cuda.kernel.Maps;
import dev.outpost.runtime.cuda.kernel.Moves;
import dev.outpost.runtime.cuda.kernel.Nonzeros;
import dev.outpost.runtime.cuda.kernel.PagedAttentions;
import dev.outpost.runtime.cuda.kernel.Products;
import dev.outpost.runtime.cuda.kernel.QuantizedProducts;
import dev.outpost.runtime.cuda.kernel.RowKernels;
import dev.outpost.runtime.cuda.kernel.Scatters;
import dev.outpost.runtime.cuda.kernel.Sorting;
import dev.outpost.runtime.cuda.kernel.Windows;
import dev.outpost.runtime.cuda.launch.CudaBuffer;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelFolder;
import dev.outpost.runtime.cuda.launch.MemoryPool;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCollectives;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Fence;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.engine.Stamp;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Optional;

/** The engine that computes on a GPU. Computations are appended to the GPU's queue. Only a synchronous read waits for them. */
public final class CudaEngine implements Engine {
    private final Device device;
    private final Maps maps;
    private final Creation creation;
    private final Folds folds;
    private final RowKernels rowKernels;
    private final CumulativeKernels cumulativeKernels;
    private final Indexing indexing;
    private final Nonzeros nonzeros;
    private final Sorting sorting;
    private final Moves moves;
    private final Products products;
    private final QuantizedProducts quantized;
    private final Windows windows;
    private final AttentionPrimitives attention;
    private final PagedAttentions pages;
    private final HostKernels hostKernels;
    private final Optional<DeviceCollectives> collectives;

    /**
     * Creates an engine that owns its arguments.
     *
     * @param folder the folder in which compiled kernels are stored; empty if they are not stored
     */
    CudaEngine(Gpu gpu, KernelCompiler compiler, Multiplier multiplier, Optional<KernelFolder> folder) {
        this(gpu, compiler, multiplier, folder, Optional.empty());
    }

    /** @param library the library of exchanges with other GPUs */
    CudaEngine(
            Gpu gpu,
            KernelCompiler compiler,
            Multiplier multiplier,
            Optional<KernelFolder> folder,
            Optional<CollectiveLibrary> library) {
        device = new Device(gpu, compiler, multiplier, folder);
        CudaLauncher launcher = device.launcher();
        maps = device.maps();
        creation = new Creation(launcher);
        folds = new Folds(launcher);
        rowKernels = new RowKernels(launcher, maps, folds);
        cumulativeKernels = new CumulativeKernels(launcher);
        sorting = new Sorting(launcher);
        indexing = new Indexing(launcher, new Scatters(launcher, maps, sorting));
        pages = new PagedAttentions(launcher, indexing);
        nonzeros = new Nonzeros(launcher, cumulativeKernels);
        moves = new Moves(maps);
        products = new Products(launcher, maps, multiplier);
        quantized = new QuantizedProducts(launcher, maps, products);
        windows = new Windows(launcher, folds);
        attention = new AttentionPrimitives(launcher);
        hostKernels = new HostKernels(this);
        collectives = library.map(each -> new CudaCollectives(device, each));
    }

    @Override
    public String name() {
        return "cuda";
    }

    @Override
    public String device() {
        return device.description();
    }

    @Override
    public long memoryBytes() {
        return device.memoryBytes();
    }

    @Override
    public Optional<String> brokenBy() {
        return device.brokenBy();
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements) {
        return allocate(dtype, elements, MemoryPool.ENGINE);
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements, long owner) {
        return allocate(dtype, elements, owner, NO_USE);
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements, long owner, long use) {
        return device.allocate(dtype, elements, owner, use);
    }

    @Override
    public long available(long bytes) {
        return device.available(bytes);
    }

    @Override
    public void release(EngineBuffer buffer) {
        device.release((CudaBuffer) buffer);
    }

    @Override
    public Kernel compile(Instruction instruction) {
        Kernel kernel = kernel(instruction);
        // The computation on the host does not hold the device's lock.
        return instruction.op() instanceof Factorization ? kernel : device.locked(kernel);
    }

    private Kernel kernel(Instruction instruction) {
        return switch (instruction.op()) {
            case Unary _, Binary _, Ternary _, Cast _ -> elementwise(instruction);
            case Reduce _ -> reduction(instruction);
            case ArgReduce reduce -> (_, in, out) -> cumulativeKernels.argReduce(reduce, in[0], out[0]);
            case Cumulative scan -> (_, in, out) -> cumulativeKernels.cumulative(scan, in[0], out[0]);
            case PlacementOp placement -> throw new IllegalStateException(placement.label() + " is no engine's work");
            case StridedWrite _ -> (op, in, out) -> moves.stridedWrite((StridedWrite) op, in[0], in[1], out[0]);
            case Matmul _ -> (_, in, out) -> products.matmul(in[0], in[1], out[0]);
            case QuantizedMatmul product -> (_, in, out) -> quantized.run(product, in, out[0]);
            case QuantizedMatmulInput product -> (_, in, out) -> quantized.run(product, in, out[0]);
            case Convolution convolution -> (_, in, out) -> windows.convolve(convolution, in[0], in[1], out[0]);
            case MaxPool pool -> (_, in, out) -> windows.maxPool(pool, in[0], out[0], out[1]);
            case Attention _ -> (op, in, out) -> attention.run((Attention) op, in, out[0], out[1]);
            case PagedAttention _ -> (op, in, out) -> pages.run((PagedAttention) op, in, out[0]);
            case AttentionGradient _ -> (op, in, out) -> attention.gradient((AttentionGradient) op, in, out);
            case Factorization _ -> hostKernels.kernel(instruction);
            case Fill _ -> creation.fill(instruction.resultType(0).dtype());
            case Arange arange -> creation.arange(arange);
            case Random random -> creation.random(random);
            case IndexCheck check -> (_, in, out) -> indexing.check(check, in[0], out[0]);
            case Gather gather -> (_, in, out) -> indexing.gather(gather, in[0], in[1], out[0]);
            case Scatter scatter -> (_, in, out) -> indexing.scatter(scatter, in[0], in[1], in[2], out[0]);
            case IndexSelect select -> (_, in, out) -> indexing.select(select, in[0], in[1], out[0]);
            case IndexWrite write -> (_, in, out) -> indexing.write(write, in[0], in[1], in[2], out[0]);
            case Sort sort -> (_, in, out) -> sorting.sort(sort, in[0], out[0], out[1]);
            case Concat concat -> (_, in, out) -> moves.concat(concat, in, out[0]);
            case Nonzero nonzero -> (_, in, out) -> nonzeros.run(nonzero, in[0], out[0]);
        };
    }

    /** Compiles a map of one instruction. If a value is used as two operands, the kernel reads it only once. */
    private Kernel elementwise(Instruction instruction) {
        FusedMap map = new FusedMap(List.of(instruction), _ -> true);
        Kernel kernel = maps.kernel(map);
        return (op, in, out) -> {
            Array[] sources =
                    map.sources().stream().map(source -> in[source.position()]).toArray(Array[]::new);
            kernel.run(op, sources, out);
        };
    }

    /**
     * Compiles a reduction. If it can be fused with other instructions, uses the same kernel, so that the bits are
     * the same.
     */
    private Kernel reduction(Instruction instruction) {
        Reduce reduce = (Reduce) instruction.op();
        return FusedRows.alone(instruction)
                .filter(_ -> RowCode.knows(instruction))
                .<Kernel>map(rowKernels::kernel)
                .orElse((_, in, out) -> folds.reduce(reduce, in[0], out[0]));
    }

    @Override
    public boolean fuses() {
        return true;
    }

    @Override
    public ListedKernel compile(FusedMap map) {
        String listing = ElementCode.of(map).text();
        return new ListedKernel(device.locked(maps.kernel(map)), () -> listing);
    }

    @Override
    public boolean fusesInRows(Instruction instruction) {
        return RowCode.knows(instruction);
    }

    @Override
    public GeneratedKernel compile(FusedRows fused) {
        GeneratedKernel kernel = rowKernels.kernel(fused);
        return new ListedKernel(device.locked(kernel), kernel::listing);
    }

    /**
     * Excludes random instructions, which differ in each run, and instructions that count elements or run on the
     * host, because the engine waits for them.
     */
    @Override
    public boolean unites(Instruction instruction) {
        return switch (instruction.op()) {
            case Random _, Nonzero _, Factorization _ -> false;
            default -> true;
        };
    }

    @Override
    public EngineBuffer part(EngineBuffer whole, long firstByte, DType dtype, long elements) {
        return ((CudaBuffer) whole).part(firstByte, dtype, elements);
    }

    @Override
    public boolean run(Object unit, long owner, List<Launch> launches) {
        return device.run(unit, owner, launches);
    }

    @Override
    public Optional<PreparedLaunchGroup> ready(Object unit, long owner, List<Launch> launches) {
        return device.ready(unit, owner, launches);
    }

    @Override
    public void forgetOwner(long owner) {
        device.forgetOwner(owner);
    }

    @Override
    public void forgetGroup(Object unit) {
        device.forgetGroup(unit);
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        device.write((CudaBuffer) target, offset, source);
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        device.read(source, first, count, target, at);
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    /** Returns 1, because all kernels are in one queue. */
    @Override
    public int concurrentSlices() {
        return 1;
    }

    @Override
    public Stamp stamp() {
        return device.stamp();
    }

    @Override
    public Fence fence() {
        return device.fence();
    }

    @Override
    public Completion writeLater(EngineBuffer target, long offset, Bytes source) {
        return device.writeLater((CudaBuffer) target, offset, source);
    }

    @Override
    public Completion readLater(Array source, long first, int count, byte[] target, int at) {
        return device.readLater(source, first, count, target, at);
    }

    @Override
    public Optional<DeviceCollectives> collectives() {
        return collectives;
    }

    @Override
    public void close() {
        hostKernels.close();
        device.close();
    }
}
