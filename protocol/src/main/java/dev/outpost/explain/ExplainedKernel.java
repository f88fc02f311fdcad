package dev.outpost.explain;

import java.util.List;

/**
 * The instructions that are launched at once; a view, or data that came with the segment, stands here too, and
 * launches nothing.
 *
 * @param place its place in the order in which the segment's kernels run
 * @param name the ops that it computes, and the types of what it stores
 * @param nodes the instructions that it stands for, by their index; more than one where they were fused
 * @param code what was generated for it, for people; empty where it is the engine's own code or nothing was run yet
 * @param times how long it took
 */
public record ExplainedKernel(int place, String name, List<Integer> nodes, String code, KernelTimes times) {
    public ExplainedKernel {
        nodes = List.copyOf(nodes);
    }

    public boolean isFused() {
        return nodes.size() > 1;
    }
}
