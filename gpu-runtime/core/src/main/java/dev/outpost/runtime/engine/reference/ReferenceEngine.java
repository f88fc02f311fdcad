package dev.outpost.runtime.engine.reference;

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
import dev.outpost.protocol.op.Op;
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
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.factorization.Factorizations;
import dev.outpost.runtime.engine.factorization.PlainRoutines;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapAllocation;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;

/**
 * Defines the result of every op by plain loops over single elements. Its only aim is to be obviously right. The fast engines are tested
 * against it. Floating elements are computed in double and rounded once, when they are stored. Integers are computed in long and wrap when
 * they are stored.
 */
public final class ReferenceEngine implements Engine {
    private static final Factorizations FACTORIZATIONS =
            new Factorizations(new PlainRoutines(), (count, _, range) -> range.run(0, count));

    @Override
    public String name() {
        return "reference";
    }

    @Override
    public String device() {
        return "cpu, plain loops";
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements) {
        return HeapAllocation.allocate(dtype, elements);
    }

    @Override
    public long mostElements() {
        return HeapAllocation.MAX_ELEMENTS;
    }

    @Override
    public void release(EngineBuffer buffer) {
        // The garbage collector frees the memory.
    }

    @Override
    public Kernel compile(Instruction instruction) {
        return ReferenceEngine::run;
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        HeapTransfer.write((HeapBuffer) target, offset, source);
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        HeapTransfer.read((HeapBuffer) source.buffer(), source.layout(), first, count, target, at);
    }

    @Override
    public void close() {
        // The engine holds only heap memory.
    }

    private static void run(Op op, Array[] in, Array[] out) {
        switch (op) {
            case Unary unary -> Elementwise.unary(unary, in[0], out[0]);
            case Binary binary -> Elementwise.binary(binary, in[0], in[1], out[0]);
            case Ternary ternary -> Elementwise.ternary(ternary, in[0], in[1], in[2], out[0]);
            case Cast _ -> Elementwise.cast(in[0], out[0]);
            case Reduce reduce -> Reductions.reduce(reduce, in[0], out[0]);
            case ArgReduce reduce -> Reductions.argReduce(reduce, in[0], out[0]);
            case Cumulative cumulative -> Reductions.cumulative(cumulative, in[0], out[0]);
            case PlacementOp placement -> throw computesNothing(placement);
            case StridedWrite write -> Movement.stridedWrite(write, in[0], in[1], out[0]);
            case QuantizedMatmul product -> QuantizedProduct.run(product, in, out[0]);
            case QuantizedMatmulInput product -> QuantizedProduct.run(product, in, out[0]);
            case Matmul _ -> MatrixProduct.matmul(in[0], in[1], out[0]);
            case Convolution convolution -> ConvolutionLoops.run(convolution, in[0], in[1], out[0]);
            case MaxPool pool -> MaxPoolLoops.max(pool, in[0], out[0], out[1]);
            case Attention attention -> AttentionPrimitives.run(attention, in, out[0], out[1]);
            case PagedAttention attention -> PagedAttentionLoops.run(attention, in, out[0]);
            case AttentionGradient gradient -> AttentionPrimitives.gradient(gradient, in, out);
            case Factorization factorization -> FACTORIZATIONS.run(factorization, in, out);
            case Fill fill -> Creation.fill(fill, out[0]);
            case Arange arange -> Creation.arange(arange, out[0]);
            case Random random -> RandomElements.fill(random, out[0]);
            case IndexCheck check -> Indexing.check(check, in[0], out[0]);
            case Gather gather -> Indexing.gather(gather, in[0], in[1], out[0]);
            case Scatter scatter -> Indexing.scatter(scatter, in[0], in[1], in[2], out[0]);
            case IndexSelect select -> Indexing.indexSelect(select, in[0], in[1], out[0]);
            case IndexWrite write -> Indexing.indexWrite(write, in[0], in[1], in[2], out[0]);
            case Sort sort -> Sorting.sort(sort, in[0], out[0], out[1]);
            case Concat concat -> Movement.concat(concat, in, out[0]);
            case Nonzero nonzero -> Indexing.nonzero(nonzero, in[0], out[0]);
        }
    }

    private static IllegalStateException computesNothing(PlacementOp placement) {
        return new IllegalStateException(
                placement.label() + " only says where elements are; the session places it and no engine runs it");
    }
}
