package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import java.util.List;

/** Drafts of one rewrite, which check the properties of every draft. */
final class VerifiedDrafts {
    private VerifiedDrafts() {}

    static RewriteContext draft(Graph graph, Rewrite rewrite, boolean mayAssume) {
        RewriteContext context = RewriteContext.of(graph, List.of(rewrite), mayAssume);
        GraphVerifier.verify(graph, context, rewrite.getClass().getSimpleName());
        return context;
    }

    /** The positions of the remaining instructions. */
    static List<Integer> left(RewriteContext context) {
        return context.graph().instructions().stream().map(Instruction::index).toList();
    }
}
