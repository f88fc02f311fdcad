package dev.outpost.runtime.engine.cpu;

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
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.ReductionShape;
import dev.outpost.runtime.engine.cpu.attention.AttentionPrimitives;
import dev.outpost.runtime.engine.cpu.attention.PagedAttentionRun;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.FusedExpression;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.index.ConcatKernels;
import dev.outpost.runtime.engine.cpu.index.Indexing;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.loop.LoopCache;
import dev.outpost.runtime.engine.cpu.loop.LoopKernel;
import dev.outpost.runtime.engine.cpu.loop.RandomFills;
import dev.outpost.runtime.engine.cpu.memory.BufferPool;
import dev.outpost.runtime.engine.cpu.memory.NativeMemoryLimiter;
import dev.outpost.runtime.engine.cpu.order.ArgReductions;
import dev.outpost.runtime.engine.cpu.order.Sorting;
import dev.outpost.runtime.engine.cpu.product.Blas;
import dev.outpost.runtime.engine.cpu.product.LapackRoutines;
import dev.outpost.runtime.engine.cpu.product.Products;
import dev.outpost.runtime.engine.cpu.product.QuantizedInputProducts;
import dev.outpost.runtime.engine.cpu.product.QuantizedProducts;
import dev.outpost.runtime.engine.cpu.reduce.FullReduction;
import dev.outpost.runtime.engine.cpu.reduce.Reductions;
import dev.outpost.runtime.engine.cpu.row.RowCode;
import dev.outpost.runtime.engine.cpu.row.RowCompiler;
import dev.outpost.runtime.engine.cpu.row.RowLoop;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.engine.cpu.window.Convolutions;
import dev.outpost.runtime.engine.cpu.window.MaxPools;
import dev.outpost.runtime.engine.factorization.Factorizations;
import dev.outpost.runtime.engine.factorization.PlainRoutines;
import dev.outpost.runtime.engine.factorization.Routines;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapAllocation;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import java.util.Optional;

/**
 * The fast engine on the processor. Elementwise code is bytecode generated over Java arrays, and matrix products use OpenBLAS. A few
 * threads share each kernel. Results do not depend on the number of threads.
 */
public final class CpuEngine implements Engine {
    private static final long POOL_BYTES = 256L << 20;
    private static final int LOOPS = 4096;

    private final KernelThreads kernelThreads;
    private final BufferPool pool;
    private final Elementwise elementwise;
    private final Reductions reductions;
    private final FullReduction reduction;
    private final ArgReductions argReductions;
    private final Indexing indexing;
    private final Sorting sorting;
    private final ConcatKernels concatKernels;
    private final Products products;
    private final QuantizedProducts quantizedProducts;
    private final QuantizedInputProducts quantizedInputProducts;
    private final Convolutions convolutions;
    private final MaxPools maxPools;
    private final AttentionPrimitives attention;
    private final Factorizations factorizations;
    private final String device;

    /** Uses one thread for each processor. */
    public CpuEngine() {
        this(Runtime.getRuntime().availableProcessors(), POOL_BYTES);
    }

    /**
     * @param threads the number of threads that work on a kernel, including the caller
     * @param poolBytes the most released memory that is kept for reuse, in bytes
     */
    public CpuEngine(int threads, long poolBytes) {
        this(threads, poolBytes, Blas.load(), Chains.compiled(LOOPS));
    }

    CpuEngine(int threads, long poolBytes, Optional<Blas> blas, Chains chains) {
        kernelThreads = new KernelThreads(threads);
        pool = new BufferPool(poolBytes);
        elementwise = new Elementwise(new LoopCache(LOOPS, chains), kernelThreads, pool);
        reductions = new Reductions(elementwise);
        reduction = new FullReduction(elementwise);
        argReductions = new ArgReductions(elementwise);
        indexing = new Indexing(elementwise);
        sorting = new Sorting(elementwise);
        concatKernels = new ConcatKernels(elementwise);
        products = new Products(elementwise, blas);
        quantizedProducts = new QuantizedProducts(elementwise, blas);
        quantizedInputProducts = new QuantizedInputProducts(elementwise, blas);
        convolutions = new Convolutions(elementwise, blas);
        maxPools = new MaxPools(elementwise);
        attention = new AttentionPrimitives(elementwise, blas);
        factorizations = new Factorizations(
                blas.<Routines>map(found -> new LapackRoutines(found.openBlas(), new NativeMemoryLimiter()))
                        .orElseGet(PlainRoutines::new),
                (count, grain, range) -> kernelThreads.run(count, grain, range::run));
        String library = blas.isPresent() ? "OpenBLAS" : "no BLAS";
        device = "cpu, " + threads + (threads == 1 ? " thread, " : " threads, ") + library;
    }

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements) {
        return pool.allocate(dtype, elements);
    }

    @Override
    public long mostElements() {
        return HeapAllocation.MAX_ELEMENTS;
    }

    @Override
    public void release(EngineBuffer buffer) {
        pool.release((HeapBuffer) buffer);
    }

    @Override
    public Kernel compile(Instruction instruction) {
        return switch (instruction.op()) {
            case Unary unary -> elementwise(Expression.unary(unary, dtype(instruction, 0)));
            case Binary binary -> elementwise(Expression.binary(binary, dtype(instruction, 0)));
            case Ternary ternary -> elementwise(Expression.ternary(ternary, dtype(instruction, 1)));
            case Cast _ -> (_, in, out) -> elementwise.cast(in[0], out[0]);
            case Reduce reduce -> reduction(reduce, instruction);
            case ArgReduce reduce -> (_, in, out) -> argReductions.run(reduce, in[0], out[0]);
            case Cumulative scan -> (_, in, out) -> reductions.scan(scan, in[0], out[0]);
            case PlacementOp placement -> throw new IllegalStateException(placement.label() + " is no engine's work");
            case StridedWrite _ -> (op, in, out) -> concatKernels.stridedWrite((StridedWrite) op, in[0], in[1], out[0]);
            case Matmul _ -> (_, in, out) -> products.run(in[0], in[1], out[0]);
            case QuantizedMatmul product -> (_, in, out) -> quantizedProducts.run(product, in, out[0]);
            case QuantizedMatmulInput product -> (_, in, out) -> quantizedInputProducts.run(product, in, out[0]);
            case Convolution convolution -> (_, in, out) -> convolutions.run(convolution, in[0], in[1], out[0]);
            case MaxPool pool -> (_, in, out) -> maxPools.run(pool, in[0], out[0], out[1]);
            case Attention _ -> (op, in, out) -> attention.run((Attention) op, in, out[0], out[1]);
            case PagedAttention _ ->
                (op, in, out) -> PagedAttentionRun.run((PagedAttention) op, in, out[0], elementwise);
            case AttentionGradient _ -> (op, in, out) -> attention.gradient((AttentionGradient) op, in, out);
            case Factorization factorization -> (_, in, out) -> factorizations.run(factorization, in, out);
            case Fill _ -> (op, in, out) -> Fills.fill(elementwise, ((Fill) op).value(), out[0]);
            case Arange _ -> (op, in, out) -> Fills.arange(elementwise, (Arange) op, out[0]);
            case Random _ -> (op, in, out) -> RandomFills.run(kernelThreads, (Random) op, out[0]);
            case IndexCheck check -> (_, in, out) -> indexing.check(check, in[0], out[0]);
            case Gather gather -> (_, in, out) -> indexing.gather(gather, in[0], in[1], out[0]);
            case Scatter scatter -> (_, in, out) -> indexing.scatter(scatter, in[0], in[1], in[2], out[0]);
            case IndexSelect select -> (_, in, out) -> indexing.select(select, in[0], in[1], out[0]);
            case IndexWrite write -> (_, in, out) -> indexing.write(write, in[0], in[1], in[2], out[0]);
            case Sort sort -> (_, in, out) -> sorting.run(sort, in[0], out[0], out[1]);
            case Concat concat -> (_, in, out) -> concatKernels.concat(concat, in, out[0]);
            case Nonzero nonzero -> (_, in, out) -> concatKernels.nonzero(nonzero, in[0], out[0]);
        };
    }

    @Override
    public boolean keepsRematerializations() {
        return true;
    }

    @Override
    public boolean fuses() {
        return true;
    }

    @Override
    public GeneratedKernel compile(FusedMap map) {
        return new LoopKernel(elementwise, FusedExpression.of(map));
    }

    @Override
    public boolean fusesInRows(Instruction instruction) {
        return RowCode.knows(instruction);
    }

    @Override
    public GeneratedKernel compile(FusedRows rows) {
        return new RowLoop(RowCompiler.compile(rows), elementwise);
    }

    private Kernel reduction(Reduce op, Instruction instruction) {
        RowReduction fold = dtype(instruction, 0) == DType.FLOAT32 ? RowReduction.of(op.fn()) : null;
        ReductionShape rows = fold == null
                ? null
                : ReductionShape.of(op, instruction.operandType(0).shape());
        return rows == null
                ? (_, in, out) -> reductions.reduce(op, in[0], out[0])
                : (_, in, out) -> reduction.run(fold, rows, in[0], out[0]);
    }

    private Kernel elementwise(Expression expression) {
        return new LoopKernel(elementwise, expression);
    }

    private static DType dtype(Instruction instruction, int operand) {
        return instruction.operandType(operand).dtype();
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        HeapTransfer.write((HeapBuffer) target, offset, source);
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        HeapTransfer.read(Elementwise.buffer(source), source.layout(), first, count, target, at);
    }

    @Override
    public void freeUnused() {
        pool.clear();
    }

    @Override
    public void close() {
        kernelThreads.close();
        pool.clear();
    }
}
