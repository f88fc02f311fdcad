package dev.outpost.internal;

import dev.outpost.protocol.op.IndexNames;
import java.util.function.Supplier;

/**
 * The terms in which an index out of range is reported by an op that is composed of others: {@code cross_entropy: label 12 is
 * out of range for 10 classes} rather than what {@code gather} says.
 */
public final class IndexTerms {
    private static final ThreadLocal<IndexNames> CURRENT = new ThreadLocal<>();

    private IndexTerms() {}

    /**
     * Records ops whose indices have these names. Where names are given already, those of the outer op stay.
     *
     * @param op the op that the user called, such as {@code embedding}
     * @param noun what an index is, such as {@code label}
     * @param unit what it counts, in the plural, such as {@code classes}
     */
    public static <T> T named(String op, String noun, String unit, Supplier<T> body) {
        return named(new IndexNames(op, noun, unit, ""), body);
    }

    /** As {@link #named(String, String, String, Supplier)}, in the layer that a parameter belongs to, where it has a name. */
    public static <T> T named(String op, String noun, String unit, TensorState parameter, Supplier<T> body) {
        return named(new IndexNames(op, noun, unit, layer(States.cell(parameter).name())), body);
    }

    /** {@code encoder.embedding.weight} is of the layer {@code encoder.embedding}. */
    private static String layer(String parameter) {
        return parameter.substring(0, Math.max(0, parameter.lastIndexOf('.')));
    }

    private static <T> T named(IndexNames names, Supplier<T> body) {
        if (CURRENT.get() != null) {
            return body.get();
        }
        CURRENT.set(names);
        try {
            return body.get();
        } finally {
            CURRENT.remove();
        }
    }

    public static IndexNames current() {
        IndexNames names = CURRENT.get();
        return names == null ? IndexNames.PLAIN : names;
    }
}
