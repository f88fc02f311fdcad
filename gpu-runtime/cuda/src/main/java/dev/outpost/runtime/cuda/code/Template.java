package dev.outpost.runtime.cuda.code;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A kernel of a file, and what stands before it: words that the file leaves open, and the parts that it needs. */
public final class Template {
    private final Part kernel;
    private final Set<Part> parts = EnumSet.of(Part.VALUES);
    private final StringBuilder words = new StringBuilder();

    private Template(Part kernel, boolean wide) {
        this.kernel = kernel;
        define("INDEX", wide ? "i64" : "u32");
    }

    /** @param wide whether elements are numbered by 64 bits */
    public static Template of(Part kernel, boolean wide) {
        return new Template(kernel, wide);
    }

    /** Says a word that the file leaves open; parameters and all, as behind {@code #define}. */
    public Template define(String word, Object text) {
        words.append("#define ").append(word).append(' ').append(text).append('\n');
        return this;
    }

    /** STORED, LOAD and STORE of elements, and VALUE of what is computed with. */
    public Template elements(CudaType type) {
        return define("STORED", type.stored())
                .define("VALUE", type.value())
                .define("LOAD", type.load())
                .define("STORE", type.store());
    }

    /** SUM, TAKE and GIVE: what elements are accumulated in, and their way there and back. */
    public Template sums(CudaType element) {
        CudaType sum = element.sum();
        return define("SUM", sum.value())
                .define("TAKE(x)", element.to(sum) + "(" + element.load() + "(x))")
                .define("GIVE(x)", element.store() + "(" + sum.to(element) + "(x))");
    }

    /** SUM, TAKE and GIVE, as {@link #sums}, where what was accumulated so far is left as it is. */
    public Template partsOf(CudaType element) {
        return define("SUM", element.sum().value())
                .define("TAKE(x)", element.to(element.sum()) + "(" + element.load() + "(x))")
                .define("GIVE(x)", "(x)");
    }

    public Template with(Part part) {
        parts.add(part);
        return this;
    }

    /** With the ops on numbers of that word. */
    public Template arithmetic(CudaType type) {
        return with(type.isFloating() ? Part.FLOATS : Part.INTEGERS);
    }

    public CudaSource source() {
        List<Part> all = new ArrayList<>(parts);
        all.add(kernel);
        return new CudaSource(words.toString(), all, "");
    }
}
