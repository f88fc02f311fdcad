package dev.outpost.runtime.cuda.code;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates the kernel {@code map}, which runs {@link ElementCode} for every element of a shape, along an {@link AccessPattern}. Its
 * arguments have 8 bytes each. The first ones are the arrays, beginning with the results, and the number of elements. If the code refuses
 * values, the address of the word for the first refused element follows. The last ones are the sizes of all dimensions but the outermost,
 * and the strides of each array, without the innermost one unless its access is a step.
 */
public final class MapKernel {
    public static final String NAME = "map";

    private final ElementCode code;
    private final AccessPattern pattern;
    private final List<CudaType> cudaTypes = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private MapKernel(ElementCode code, AccessPattern pattern) {
        this.code = code;
        this.pattern = pattern;
        cudaTypes.addAll(code.outputs());
        cudaTypes.addAll(code.inputs());
    }

    public static CudaSource source(ElementCode code, AccessPattern pattern) {
        List<Part> parts = new ArrayList<>(List.of(Part.VALUES));
        parts.addAll(code.parts());
        String head = "#define INDEX " + (pattern.wide() ? "i64" : "u32") + "\n";
        return new CudaSource(head, parts, new MapKernel(code, pattern).write());
    }

    private String write() {
        line("");
        packs().forEach(this::line);
        arguments();
        text.append(code.text());
        kernel();
        return text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    // ---- declarations

    private Set<String> packs() {
        Set<String> packs = new LinkedHashSet<>();
        for (int array = 0; array < cudaTypes.size(); array++) {
            if (isPacked(array)) {
                packs.add(new VectorAccess(cudaTypes.get(array), pattern.lanes()).declaration());
            }
        }
        return packs;
    }

    private boolean isPacked(int array) {
        return pattern.lanes() > 1 && pattern.accesses().get(array) == AccessPattern.Access.RUN;
    }

    private String pack(int array) {
        return new VectorAccess(cudaTypes.get(array), pattern.lanes()).name();
    }

    private String stored(int array) {
        return cudaTypes.get(array).stored();
    }

    private String array(int array) {
        int results = code.outputs().size();
        return array < results ? "out" + array : "in" + (array - results);
    }

    private boolean isResult(int array) {
        return array < code.outputs().size();
    }

    private void arguments() {
        line("typedef struct {");
        for (int array = 0; array < cudaTypes.size(); array++) {
            line("    " + (isResult(array) ? "" : "const ") + stored(array) + " *" + array(array) + ";");
        }
        line("    i64 count;");
        if (code.refuses()) {
            line("    u64 *refused;");
        }
        for (int dim = 1; dim < pattern.rank(); dim++) {
            line("    i64 size" + dim + ";");
        }
        for (int array = 0; array < cudaTypes.size(); array++) {
            for (int dim = 0; dim < pattern.rank(); dim++) {
                if (hasStride(array, dim)) {
                    line("    i64 " + stride(array, dim) + ";");
                }
            }
        }
        line("} Arguments;");
    }

    private boolean hasStride(int array, int dim) {
        return dim < pattern.rank() - 1 || pattern.accesses().get(array) == AccessPattern.Access.STEP;
    }

    private String stride(int array, int dim) {
        return array(array) + "_" + dim;
    }

    // ---- the kernel

    private void kernel() {
        line("");
        line("extern \"C\" __global__ void map(const Arguments a)");
        line("{");
        line("    const i64 first = THREAD" + (pattern.lanes() > 1 ? " * " + pattern.lanes() : "") + ";");
        line("    if (first >= a.count) {");
        line("        return;");
        line("    }");
        if (pattern.lanes() > 1 && pattern.rank() == 1) {
            rest();
        }
        index();
        for (int array = 0; array < cudaTypes.size(); array++) {
            pointer(array);
        }
        load();
        for (int lane = 0; lane < pattern.lanes(); lane++) {
            int here = lane;
            element("    ", "first" + (lane == 0 ? "" : " + " + lane), array -> element(array, here));
        }
        for (int array = 0; array < code.outputs().size(); array++) {
            if (isPacked(array)) {
                line("    *(" + pack(array) + " *) to_" + array(array) + " = " + array(array) + ";");
            }
        }
        line("}");
    }

    /** Writes the code for the last elements, if they are fewer than a thread's lanes. */
    private void rest() {
        line("    if (first + " + pattern.lanes() + " > a.count) {");
        line("        for (i64 at = first; at < a.count; at++) {");
        element("            ", "at", array -> switch (pattern.accesses().get(array)) {
            case RUN -> "a." + array(array) + "[at]";
            case SAME -> "a." + array(array) + "[0]";
            case STEP -> "a." + array(array) + "[at * a." + stride(array, 0) + "]";
        });
        line("        }");
        line("        return;");
        line("    }");
    }

    private void index() {
        if (pattern.rank() == 1) {
            line("    const i64 i0 = first;");
            return;
        }
        line("    INDEX rest = (INDEX) first;");
        for (int dim = pattern.rank() - 1; dim > 0; dim--) {
            line("    const i64 i" + dim + " = rest % (INDEX) a.size" + dim + ";");
            line("    rest /= (INDEX) a.size" + dim + ";");
        }
        line("    const i64 i0 = rest;");
    }

    private void pointer(int array) {
        String place = IntStream.range(0, pattern.rank())
                .filter(dim -> hasStride(array, dim) || pattern.accesses().get(array) == AccessPattern.Access.RUN)
                .mapToObj(dim -> hasStride(array, dim) ? "i" + dim + " * a." + stride(array, dim) : "i" + dim)
                .collect(Collectors.joining(" + "));
        String type = (isResult(array) ? "" : "const ") + stored(array);
        String name = (isResult(array) ? "to_" : "from_") + array(array);
        line("    " + type + " *" + name + " = a." + array(array) + (place.isEmpty() ? "" : " + " + place) + ";");
    }

    /** Loads all operands of a thread before the first one is used, so that the loads overlap. */
    private void load() {
        for (int array = 0; array < cudaTypes.size(); array++) {
            if (isResult(array)) {
                if (isPacked(array)) {
                    line("    " + pack(array) + " " + array(array) + ";");
                }
            } else if (isPacked(array)) {
                line("    const " + pack(array) + " " + array(array) + " = *(const " + pack(array) + " *) from_"
                        + array(array) + ";");
            }
        }
    }

    /** Returns the position of a lane's element in an array. */
    private String element(int array, int lane) {
        String name = (isResult(array) ? "to_" : "from_") + array(array);
        return switch (pattern.accesses().get(array)) {
            case RUN -> isPacked(array) ? array(array) + ".v[" + lane + "]" : name + "[" + lane + "]";
            case SAME -> name + "[0]";
            case STEP -> name + "[" + (lane == 0 ? "0" : lane + " * a." + stride(array, pattern.rank() - 1)) + "]";
        };
    }

    /**
     * Calls {@code element} for one element of each result.
     *
     * @param place gives the position of an element for each array
     */
    private void element(String margin, String number, IntFunction<String> place) {
        int results = code.outputs().size();
        line(margin + "{");
        List<String> operands = new ArrayList<>();
        for (int input = 0; input < code.inputs().size(); input++) {
            operands.add(code.inputs().get(input).load() + "(" + place.apply(results + input) + ")");
        }
        for (int output = 0; output < results; output++) {
            line(margin + "    " + code.outputs().get(output).value() + " y" + output + ";");
            operands.add("&y" + output);
        }
        if (code.refuses()) {
            line(margin + "    int refused = 0;");
            operands.add("&refused");
        }
        line(margin + "    element(" + String.join(", ", operands) + ");");
        for (int output = 0; output < results; output++) {
            line(margin + "    " + place.apply(output) + " = "
                    + code.outputs().get(output).store() + "(y" + output + ");");
        }
        if (code.refuses()) {
            line(margin + "    if (refused) {");
            line(margin + "        atomicMin(a.refused, (u64) (" + number + "));");
            line(margin + "    }");
        }
        line(margin + "}");
    }
}
