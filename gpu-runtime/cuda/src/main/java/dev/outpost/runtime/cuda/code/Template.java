package dev.outpost.runtime.cuda.code;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The source of a kernel from a file, with definitions of the words that the file leaves open, and the parts that the
 * kernel needs.
 */
public final class Template {
    private final Part kernel;
    private final Set<Part> parts = EnumSet.of(Part.VALUES);
    private final StringBuilder words = new StringBuilder();

    private Template(Part kernel, boolean wide) {
        this.kernel = kernel;
        define("INDEX", wide ? "i64" : "u32");
    }

    /** @param wide true if the numbers of elements need 64 bits */
    public static Template of(Part kernel, boolean wide) {
        return new Template(kernel, wide);
    }

    /** Defines a word that the file leaves open, including its parameters, as {@code #define} does. */
    public Template define(String word, Object text) {
        words.append("#define ").append(word).append(' ').append(text).append('\n');
        return this;
    }

    /** Defines STORED, LOAD and STORE for elements, and VALUE for the type of computations. */
    public Template elements(CudaType type) {
        return define("STORED", type.stored())
                .define("VALUE", type.value())
                .define("LOAD", type.load())
                .define("STORE", type.store());
    }

    /** Defines SUM, TAKE and GIVE: the type of the accumulator, and conversions to it and back. */
    public Template sums(CudaType element) {
        CudaType sum = element.sum();
        return define("SUM", sum.value())
                .define("TAKE(x)", element.to(sum) + "(" + element.load() + "(x))")
                .define("GIVE(x)", element.store() + "(" + sum.to(element) + "(x))");
    }

    /** Defines SUM, TAKE and GIVE like {@link #sums}, except that results stay in the type of the accumulator. */
    public Template partsOf(CudaType element) {
        return define("SUM", element.sum().value())
                .define("TAKE(x)", element.to(element.sum()) + "(" + element.load() + "(x))")
                .define("GIVE(x)", "(x)");
    }

    public Template with(Part part) {
        parts.add(part);
        return this;
    }

    /** Adds the part with the ops on numbers of the type. */
    public Template arithmetic(CudaType type) {
        return with(type.isFloating() ? Part.FLOATS : Part.INTEGERS);
    }

    public CudaSource source() {
        List<Part> all = new ArrayList<>(parts);
        all.add(kernel);
        return new CudaSource(words.toString(), all, "");
    }
}
