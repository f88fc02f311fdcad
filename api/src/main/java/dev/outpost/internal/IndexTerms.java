package dev.outpost.internal;

import dev.outpost.protocol.op.IndexNames;
import java.util.function.Supplier;

/**
 * Defines the words with which a composed op reports an index out of range: {@code cross_entropy: label 12 is out of
 * range for 10 classes} instead of a message about {@code gather}.
 */
public final class IndexTerms {
    private static final ThreadLocal<IndexNames> CURRENT = new ThreadLocal<>();

    private IndexTerms() {}

    /**
     * Records ops whose indices have these names. Inside another call of this method, the outer names remain in use.
     *
     * @param op the op that the user called, such as {@code embedding}
     * @param noun the name of an index, such as {@code label}
     * @param unit the plural of the things that the index counts, such as {@code classes}
     */
    public static <T> T named(String op, String noun, String unit, Supplier<T> body) {
        return named(new IndexNames(op, noun, unit, ""), body);
    }

    /** Like {@link #named(String, String, String, Supplier)}, but with the layer of a parameter, if it has a name. */
    public static <T> T named(String op, String noun, String unit, TensorState parameter, Supplier<T> body) {
        return named(new IndexNames(op, noun, unit, layer(States.cell(parameter).name())), body);
    }

    /** Returns the layer of a parameter: {@code encoder.embedding} for {@code encoder.embedding.weight}. */
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
