package dev.outpost.runtime.explain;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.plan.Task;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The display names of a plan's kernels: {@code matmul float32[64,10]}, {@code mul+add+relu float32[64,10]}. */
public final class KernelNames {
    private static final int MAX_OPS = 6;

    private KernelNames() {}

    public static String of(Task task, Graph graph) {
        int[] members = task.instructions();
        String ops = Arrays.stream(members)
                .limit(MAX_OPS)
                .mapToObj(member -> graph.instructions().get(member).op().label())
                .collect(Collectors.joining("+"));
        String more = members.length > MAX_OPS ? "+" + (members.length - MAX_OPS) + " more" : "";
        return ops + more + " "
                + graph.instructions().get(members[members.length - 1]).resultType(0);
    }
}
