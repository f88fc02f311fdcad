package dev.outpost.models.jinja;

import java.util.List;

/** A part of a template that writes text. */
@FunctionalInterface
interface JinjaStatement {
    /** The part of a loop that runs after a statement. */
    enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    Flow run(Variables variables, StringBuilder out);

    static Flow runAll(List<JinjaStatement> statements, Variables variables, StringBuilder out) {
        for (JinjaStatement statement : statements) {
            variables.budget().step();
            TemplateBudget.requireSize(out.length());
            Flow flow = statement.run(variables, out);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }
}
