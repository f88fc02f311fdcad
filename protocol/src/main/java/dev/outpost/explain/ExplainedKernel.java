package dev.outpost.explain;

import java.util.List;

/**
 * A kernel: instructions that are launched together. A view, or data within the segment, also counts as a kernel but
 * launches nothing.
 *
 * @param place its index in the order of the segment's kernels
 * @param name the ops that it computes, and the types of the values that it stores
 * @param nodes the indices of its instructions; several if they were fused
 * @param code the generated code as readable text; empty if the kernel runs the engine's fixed code, or has not run yet
 * @param times its run times
 */
public record ExplainedKernel(int place, String name, List<Integer> nodes, String code, KernelTimes times) {
    public ExplainedKernel {
        nodes = List.copyOf(nodes);
    }

    public boolean isFused() {
        return nodes.size() > 1;
    }
}
