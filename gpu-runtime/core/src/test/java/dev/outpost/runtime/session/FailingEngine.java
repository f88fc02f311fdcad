package dev.outpost.runtime.session;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;

/**
 * An engine with defects: {@code abs} does not compile, {@code sign} breaks, {@code relu} finds no memory, and no element
 * beyond the 40,000th can be read.
 */
final class FailingEngine extends EngineOnTop {

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
        return super.compile(instruction);
    }

    @Override
    public void read(Array source, long first, int count, byte[] target, int at) {
        if (first > 40_000) {
            throw new IllegalStateException("the device is gone");
        }
        super.read(source, first, count, target, at);
    }
}
