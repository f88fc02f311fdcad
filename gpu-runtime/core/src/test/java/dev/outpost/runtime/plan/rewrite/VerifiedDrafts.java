package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import java.util.List;

/** Drafts of one rewrite, held to what every draft must keep. */
final class VerifiedDrafts {
    private VerifiedDrafts() {}

    static RewriteContext draft(Graph graph, Rewrite rewrite, boolean mayAssume) {
        RewriteContext draft = RewriteContext.of(graph, List.of(rewrite), mayAssume);
        GraphVerifier.verify(graph, draft, rewrite.getClass().getSimpleName());
        return draft;
    }

    /** The places of the instructions that are still there. */
    static List<Integer> left(RewriteContext draft) {
        return draft.graph().instructions().stream().map(Instruction::index).toList();
    }
}
