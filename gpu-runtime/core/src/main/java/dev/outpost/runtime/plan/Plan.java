package dev.outpost.runtime.plan;

import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Placement;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;

/**
 * All that a structure's runs have in common: the compiled kernel of each instruction, and after which instruction each
 * value dies. Immutable; many sessions may use one at once.
 */
public final class Plan {
    private final Kernel[] kernels;
    private final int[] dyingAtStart;
    private final int[][] dyingAfter;
    private final boolean complete;

    private Plan(Kernel[] kernels, Liveness liveness, boolean complete) {
        this.kernels = kernels;
        this.dyingAtStart = liveness.dyingAtStart();
        this.dyingAfter = liveness.dyingAfter(kernels.length);
        this.complete = complete;
    }

    /** Compiles a graph. What an engine cannot compile fails when it is run, so that it poisons only its results. */
    static Plan of(Graph graph, Engine engine) {
        Kernel[] kernels = new Kernel[graph.instructions().size()];
        boolean complete = true;
        for (Instruction instruction : graph.instructions()) {
            if (!(instruction.op() instanceof Placement)) {
                Kernel kernel = compile(instruction, engine);
                kernels[instruction.index()] = kernel;
                complete &= !(kernel instanceof Uncompiled);
            }
        }
        return new Plan(kernels, Liveness.of(graph), complete);
    }

    private static Kernel compile(Instruction instruction, Engine engine) {
        try {
            return engine.compile(instruction);
        } catch (OutpostException refused) {
            return new Uncompiled(refused);
        } catch (RuntimeException | Error defect) {
            return new Uncompiled(new IllegalStateException("could not be compiled: " + defect, defect));
        }
    }

    private record Uncompiled(RuntimeException problem) implements Kernel {
        @Override
        public void run(Op op, Array[] operands, Array[] results) {
            throw problem;
        }
    }

    /** The code of an instruction; null for a {@code Placement}, which has none. */
    public Kernel kernel(int instruction) {
        return kernels[instruction];
    }

    /** Values that nothing uses, not even once. Callers do not change the array. */
    public int[] dyingAtStart() {
        return dyingAtStart;
    }

    /** Values that nobody needs after an instruction. Callers do not change the array. */
    public int[] dyingAfter(int instruction) {
        return dyingAfter[instruction];
    }

    /** Whether everything compiled. */
    boolean isComplete() {
        return complete;
    }
}
