package dev.outpost.runtime.session;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.Buffer;

/** The reference engine with defects: {@code abs} does not compile, {@code sign} breaks, {@code relu} finds no memory. */
final class FailingEngine implements Engine {
    private final ReferenceEngine sound = new ReferenceEngine();

    @Override
    public String name() {
        return "failing";
    }

    @Override
    public String device() {
        return "nothing much";
    }

    @Override
    public Kernel compile(Instruction instruction) {
        Op op = instruction.op();
        if (op == Unary.ABS) {
            throw new IllegalStateException("no code for it");
        }
        if (op == Unary.SIGN) {
            return (_, _, _) -> {
                throw new ArrayIndexOutOfBoundsException("7");
            };
        }
        if (op == Unary.RELU) {
            return (_, _, _) -> {
                throw new OutOfMemoryError("Java heap space");
            };
        }
        return sound.compile(instruction);
    }

    @Override
    public Buffer allocate(DType dtype, long elements) {
        return sound.allocate(dtype, elements);
    }

    @Override
    public void release(Buffer buffer) {
        sound.release(buffer);
    }

    @Override
    public void write(Buffer target, long offset, byte[] source, int from, int length) {
        sound.write(target, offset, source, from, length);
    }

    @Override
    public byte[] read(Array source, long first, int count) {
        return sound.read(source, first, count);
    }

    @Override
    public void close() {
        sound.close();
    }
}
