package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import java.util.Map;

/**
 * A statement to which the two sides give different answers.
 *
 * @param where the variable, or an empty name
 * @param text a sentence, Outpost's answer first
 * @param operands the values of the statement's variables before it
 */
record Difference(
        FuzzStatement statement,
        Kind kind,
        String where,
        String text,
        StatementOutcome ours,
        StatementOutcome theirs,
        Map<String, HostTensor> operands) {

    enum Kind {
        DTYPE,
        SHAPE,
        VALUE,
        REQUIRES_GRAD,
        GRADIENT_PRESENCE,
        ONLY_OUTPOST_REFUSES,
        ONLY_PYTORCH_REFUSES,
        OUTPOST_BREAKS,
        PYTORCH_BREAKS,
        /** Outpost gives other results if the statements run without reads between them. */
        RUN_AS_A_WHOLE
    }

    /** Returns true if another difference seems to be the same defect. */
    boolean isLike(Difference other) {
        return kind == other.kind && statement.op().equals(other.statement.op()) && where.equals(other.where);
    }

    @Override
    public String toString() {
        return statement.op() + ": " + (where.isEmpty() ? "" : where + ", ") + text;
    }
}
