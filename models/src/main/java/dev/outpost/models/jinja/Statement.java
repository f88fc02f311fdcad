package dev.outpost.models.jinja;

import java.util.List;

/** A part of a template that writes. */
@FunctionalInterface
interface Statement {
    /** How the statements after it go on. */
    enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    Flow run(Variables variables, StringBuilder out);

    static Flow runAll(List<Statement> statements, Variables variables, StringBuilder out) {
        for (Statement statement : statements) {
            variables.budget().step();
            Budget.requireSize(out.length());
            Flow flow = statement.run(variables, out);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }
}
