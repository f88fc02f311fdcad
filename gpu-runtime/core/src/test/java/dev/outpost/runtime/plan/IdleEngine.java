package dev.outpost.runtime.plan;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;

/** Plans all segments and runs nothing, so only the planner takes time. */
final class IdleEngine implements Engine {
    private final boolean unites;

    /** @param unites true if several kernels are launched at once; otherwise the computation of values may be deferred */
    IdleEngine(boolean unites) {
        this.unites = unites;
    }

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String device() {
        return "none";
    }

    @Override
    public Kernel compile(Instruction instruction) {
        return code();
    }

    @Override
    public boolean fuses() {
        return true;
    }

    @Override
    public GeneratedKernel compile(FusedMap map) {
        return code();
    }

    @Override
    public boolean fusesInRows(Instruction instruction) {
        return true;
    }

    @Override
    public GeneratedKernel compile(FusedRows rows) {
        return code();
    }

    private static GeneratedKernel code() {
        return new GeneratedKernel() {
            @Override
            public void run(Op op, Array[] operands, Array[] results) {
                throw runsNothing();
            }

            @Override
            public String listing() {
                return "";
            }
        };
    }

    @Override
    public boolean keepsRematerializations() {
        return !unites;
    }

    @Override
    public boolean unites(Instruction instruction) {
        return unites;
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements) {
        throw runsNothing();
    }

    @Override
    public void release(EngineBuffer buffer) {
        throw runsNothing();
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        throw runsNothing();
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        throw runsNothing();
    }

    private static UnsupportedOperationException runsNothing() {
        return new UnsupportedOperationException("the idle engine only plans");
    }

    @Override
    public void close() {}
}
