package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;

/** The reference engine under another name, as the base of engines that differ from it in one aspect. */
abstract class EngineOnTop implements Engine {
    private final ReferenceEngine reference = new ReferenceEngine();

    @Override
    public String name() {
        return getClass().getSimpleName();
    }

    @Override
    public String device() {
        return "nothing much";
    }

    @Override
    public Kernel compile(Instruction instruction) {
        return reference.compile(instruction);
    }

    @Override
    public EngineBuffer allocate(DType dtype, long elements) {
        return reference.allocate(dtype, elements);
    }

    @Override
    public void release(EngineBuffer buffer) {
        reference.release(buffer);
    }

    @Override
    public void write(EngineBuffer target, long offset, Bytes source) {
        reference.write(target, offset, source);
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        reference.read(source, first, count, target, at);
    }

    @Override
    public void close() {
        reference.close();
    }
}
