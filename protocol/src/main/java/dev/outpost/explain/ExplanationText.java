package dev.outpost.explain;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats an {@link Explanation} for people, in lines that fit a terminal if possible. */
final class ExplanationText {
    private static final int CODE_LINES = 40;

    private final Explanation explanation;
    private final Map<String, ExplainedValue> values = new HashMap<>();
    private final StringBuilder text = new StringBuilder();

    private ExplanationText(Explanation explanation) {
        this.explanation = explanation;
        explanation.values().forEach(value -> values.put(value.name(), value));
    }

    static String of(Explanation explanation) {
        return new ExplanationText(explanation).write();
    }

    private String write() {
        title();
        Map<Integer, ExplainedNode> nodes =
                explanation.nodes().stream().collect(Collectors.toMap(ExplainedNode::index, node -> node));
        for (ExplainedKernel kernel : explanation.kernels()) {
            kernel(kernel, nodes);
        }
        memory();
        return text.toString();
    }

    private void title() {
        Explanation.SegmentSize segment = explanation.segment();
        int told = explanation.nodes().size() + segment.omitted();
        String runs = segment.runs() == 1 ? "run once" : "run " + segment.runs() + " times";
        if (isProgram()) {
            line(
                    "program: %d of its %d instructions are computed, in %d kernels, %s",
                    told, segment.instructions(), segment.kernels(), runs);
        } else {
            line(
                    "%s: %d of the segment's %d instructions lead to it, in %d of its %d kernels, %s",
                    value(), told, segment.instructions(), explanation.kernels().size(), segment.kernels(), runs);
        }
        if (segment.omitted() > 0) {
            line(
                    isProgram()
                            ? "the first %d of them are left out"
                            : "the %d instructions that are farthest from it are left out",
                    segment.omitted());
        }
    }

    private boolean isProgram() {
        return explanation.value().isEmpty();
    }

    private String value() {
        ExplainedValue value = values.get(explanation.value());
        return value == null ? explanation.value() : value.name() + " " + value.type();
    }

    private void kernel(ExplainedKernel kernel, Map<Integer, ExplainedNode> nodes) {
        line("");
        line("kernel %d: %s%s", kernel.place(), kernel.name(), times(kernel.times()));
        for (int index : kernel.nodes()) {
            ExplainedNode node = nodes.get(index);
            if (node != null) {
                line("  %s", node(node));
            }
        }
        List<String> code = kernel.code().lines().toList();
        code.stream().limit(CODE_LINES).forEach(each -> line("  | %s", each));
        if (code.size() > CODE_LINES) {
            line("  | ... and %d more lines, in ExplainedKernel.code()", code.size() - CODE_LINES);
        }
    }

    private static String times(KernelTimes times) {
        return times.isKnown()
                ? "; last " + micros(times.lastNanos()) + ", median of "
                        + times.recentNanos().size() + ": " + micros(times.medianNanos())
                : "";
    }

    private String node(ExplainedNode node) {
        String results = node.results().stream().map(this::result).collect(Collectors.joining(", "));
        String operands = node.operands().stream().map(this::operand).collect(Collectors.joining(", "));
        return results + " = " + node.op() + "(" + operands + ")"
                + (node.source().isEmpty() ? "" : "  @ " + node.source());
    }

    private String result(String name) {
        ExplainedValue value = values.get(name);
        return value == null ? name : name + " " + value.type() + fate(value);
    }

    private static String fate(ExplainedValue value) {
        if (!value.isStored()) {
            return value.lastUse() == ExplainedValue.NEVER ? " (not stored until asked for)" : " (never stored)";
        }
        return value.lastUse() == ExplainedValue.NEVER ? "" : " (until kernel " + value.lastUse() + ")";
    }

    /** Formats an operand, with its type if it comes from outside. The type of a computed operand is already shown. */
    private String operand(String name) {
        ExplainedValue value = values.get(name);
        return value == null || value.computedBy() != ExplainedValue.BEFORE ? name : name + " " + value.type();
    }

    private void memory() {
        ExplainedMemory memory = explanation.memory();
        line("");
        line(
                "memory of the %s: %s at its peak%s, of that inputs %s; %s when it has run",
                isProgram() ? "program" : "segment",
                bytes(memory.peakBytes()),
                memory.peakAt() == ExplainedValue.BEFORE ? "" : " in kernel " + memory.peakAt(),
                bytes(memory.inputBytes()),
                bytes(memory.keptBytes()));
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000 ? "%.2f us" : "%.1f us", nanos / 1e3);
    }

    private static String bytes(long bytes) {
        if (bytes < 10 << 10) {
            return bytes + " B";
        }
        boolean isMuch = bytes >= 10 << 20;
        return String.format(Locale.ROOT, "%.1f %s", bytes / (isMuch ? 1048576.0 : 1024.0), isMuch ? "MiB" : "KiB");
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing())
                .append('\n');
    }
}
