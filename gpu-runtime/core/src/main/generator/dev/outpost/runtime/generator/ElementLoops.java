package dev.outpost.runtime.generator;

import java.util.List;
import java.util.stream.Collectors;

/** Loops over elements of Java arrays: one for each type of array, and a method that selects it. */
final class ElementLoops {
    private static final List<String> STORED = List.of("float", "double", "long", "int", "short", "byte");
    private static final List<String> SUMMED = List.of("float", "double", "long");

    private static final String GATHER = """
        private static void gather(%1$s[] source, int[] positions, %1$s[] target, int at, int count) {
            for (int i = 0; i < count; i++) {
                target[at + i] = source[positions[i]];
            }
        }
        """;

    private static final String SCATTER_SUM = """
        private static void scatterSum(%1$s[] source, int at, int stride, %1$s[] target, int[] positions, int count) {
            for (int i = 0; i < count; i++) {
                target[positions[i]] += source[at + i * stride];
            }
        }
        """;

    private static final String COPY = """
        private static void copy(%1$s[] source, int from, int stride, %1$s[] target, int at, int count) {
            for (int i = 0; i < count; i++) {
                target[at + i] = source[from + i * stride];
            }
        }
        """;

    private static final String SUM = """
        private static void sum(%1$s[] source, int from, %1$s[] target, int at, int stride, int count) {
            if (stride == 1) {
                for (int i = 0; i < count; i++) {
                    target[at + i] += source[from + i];
                }
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i * stride] += source[from + i];
            }
        }
        """;

    private ElementLoops() {}

    static GeneratedClass elementMoves() {
        GeneratedClass moves = new GeneratedClass(
                "index",
                "public final class ElementMoves",
                "Moves of single elements, by the type of their Java array. Source and target have one type.");
        add(moves, STORED, GATHER, """
            /** {@code target[at + i] = source[positions[i]]}. */
            public static void gather(Object source, int[] positions, Object target, int at, int count) {
                switch (source) {
                    %s
                    default -> throw unknown(source);
                }
            }
            """, "gather(from, positions, (%s[]) target, at, count)");
        add(moves, SUMMED, SCATTER_SUM, """
            /** {@code target[positions[i]] += source[at + i * stride]}, one after the other, since places may repeat. */
            public static void scatterSum(Object source, int at, int stride, Object target, int[] positions, int count) {
                switch (source) {
                    %s
                    default -> throw unknown(source);
                }
            }
            """, "scatterSum(from, at, stride, (%s[]) target, positions, count)");
        add(moves, SUMMED, COPY, """
            /** {@code target[at + i] = source[from + i * stride]}. */
            public static void copy(Object source, int first, int stride, Object target, int at, int count) {
                switch (source) {
                    %s
                    default -> throw unknown(source);
                }
            }
            """, "copy(from, first, stride, (%s[]) target, at, count)");
        add(moves, SUMMED, SUM, """
            /** {@code target[at + i * stride] += source[from + i]}. */
            public static void sum(Object source, int first, Object target, int at, int stride, int count) {
                switch (source) {
                    %s
                    default -> throw unknown(source);
                }
            }
            """, "sum(from, first, (%s[]) target, at, stride, count)");
        return moves.add("""
            private static IllegalArgumentException unknown(Object array) {
                return new IllegalArgumentException("no elements are in a " + array.getClass());
            }
            """);
    }

    private static void add(GeneratedClass moves, List<String> types, String loop, String choice, String call) {
        moves.add(choice.formatted(types.stream()
                .map(type -> "case " + type + "[] from -> " + call.formatted(type) + ";")
                .collect(Collectors.joining("\n        "))));
        types.forEach(type -> moves.add(loop.formatted(type)));
    }
}
