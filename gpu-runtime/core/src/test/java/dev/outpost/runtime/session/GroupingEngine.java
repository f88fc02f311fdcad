package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The reference engine with units, each of which is launched as a whole from its second run on. Each part of a buffer has its own
 * elements, which become garbage as soon as a kernel writes another overlapping part.
 */
class GroupingEngine extends EngineOnTop {
    private record Part(long from, long to, HeapBuffer elements) {
        boolean overlaps(Part other) {
            return from < other.to && other.from < to;
        }
    }

    final AtomicInteger ran = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final Set<Long> forgottenOwners = ConcurrentHashMap.newKeySet();
    final Set<Object> forgottenUnits = ConcurrentHashMap.newKeySet();

    private final Set<Object> seen = ConcurrentHashMap.newKeySet();
    private final Map<EngineBuffer, List<Part>> parts = new IdentityHashMap<>();

    @Override
    public boolean unites(Instruction instruction) {
        return !(instruction.op() instanceof Random || instruction.op() instanceof Nonzero);
    }

    @Override
    public synchronized EngineBuffer part(EngineBuffer whole, long firstByte, DType dtype, long elements) {
        HeapBuffer own = HeapBuffer.allocate(dtype, (int) elements);
        Part part = new Part(firstByte, firstByte + own.bytes(), own);
        if (part.to > whole.bytes()) {
            throw new AssertionError(part + " is beyond " + whole.bytes() + " bytes");
        }
        parts.computeIfAbsent(whole, _ -> new ArrayList<>()).add(part);
        return own;
    }

    @Override
    public Kernel compile(Instruction instruction) {
        Kernel kernel = super.compile(instruction);
        return (op, operands, results) -> {
            for (Array result : results) {
                claim(result.buffer());
            }
            kernel.run(op, operands, results);
        };
    }

    /** Invalidates values in the memory that is about to be written. */
    private synchronized void claim(EngineBuffer written) {
        for (List<Part> together : parts.values()) {
            for (Part part : together) {
                if (part.elements == written) {
                    together.stream()
                            .filter(other -> other != part && other.overlaps(part))
                            .forEach(other -> invalidate(other.elements));
                }
            }
        }
    }

    private static void invalidate(HeapBuffer elements) {
        byte[] garbage = new byte[(int) elements.bytes()];
        Arrays.fill(garbage, (byte) 0x5b);
        HeapTransfer.write(elements, 0, new Slice(garbage));
    }

    @Override
    public synchronized void write(EngineBuffer target, long offset, Bytes source) {
        super.write(target, offset, source);
        for (Part part : parts.getOrDefault(target, List.of())) {
            if (part.from >= offset && part.to <= offset + source.length()) {
                int at = (int) (part.from - offset);
                Slice own = new Slice(source.toByteArray(), at, (int) (part.to - part.from));
                HeapTransfer.write(part.elements, 0, own);
            }
        }
    }

    @Override
    public synchronized void release(EngineBuffer buffer) {
        parts.remove(buffer);
        super.release(buffer);
    }

    @Override
    public boolean run(Object unit, long owner, List<Launch> launches) {
        if (seen.add(unit)) {
            return false;
        }
        try {
            launches.forEach(Launch::run);
            ran.incrementAndGet();
            return true;
        } catch (OpException ignored) {
            refused.incrementAndGet();
            return false;
        }
    }

    @Override
    public void forgetOwner(long owner) {
        forgottenOwners.add(owner);
    }

    @Override
    public void forgetGroup(Object unit) {
        forgottenUnits.add(unit);
    }
}
