package dev.outpost.runtime.generator;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The folds of rows of float32: loops of floats, and loops of four registers of one row or of two rows at once. */
final class FoldLoops {
    private static final String SCALAR = """
        public static void %1$s(float[] a, int at, int count, float[] lanes) {
            for (int i = 0; i < count; i += RowReduction.LANES) {
                for (int lane = 0; lane < RowReduction.LANES; lane++) {
                    lanes[lane] = %3$s;
                }
            }
        }

        public static void %2$s(float[] a, int at, int count, float[] lanes) {
            for (int lane = 0; lane < count; lane++) {
                lanes[lane] = %4$s;
            }
        }

        /** Folds each of some rows, one element after the other. */
        public static void %1$sEach(float[] a, int at, int columns, int rows, float[] target, int to) {
            for (int row = 0; row < rows; row++) {
                int first = at + row * columns;
                float joined = a[first];
                for (int i = 1; i < columns; i++) {
                    joined = %5$s;
                }
                target[to + row] = joined;
            }
        }

        /** Folds 16 lanes by halves. */
        public static float %1$sOf16(float[] l, int at) {
            %6$s
            return %7$s;
        }

        /** Joins the rest of a run to 64 lanes, and folds these by halves. */
        public static float %1$sOf64(float[] l, float[] a, int at, int count) {
            %2$s(a, at, count, l);
            %2$s(l, 32, 32, l);
            %2$s(l, 16, 16, l);
            return %1$sOf16(l, 0);
        }
        """;

    private static final String ONE_ROW = """
        static float %1$s(float[] a, int at, int count, float[] lanes) {
            int end = at + count / RowReduction.LANES * RowReduction.LANES;
            for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
                %2$s
                for (int from = at + first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                    %3$s
                }
                if (4 * WIDTH == RowReduction.LANES && end == at + count) {
                    %4$s
                    return ScalarFolds.%1$sOf16(lanes, 0);
                }
                %5$s
            }
            return ScalarFolds.%1$sOf64(lanes, a, end, at + count - end);
        }
        """;

    private static final String TWO_ROWS = """
        /** Folds two rows at once, to neighbours of {@code target}. */
        static void %1$s(float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to) {
            int end = count / RowReduction.LANES * RowReduction.LANES;
            for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
                %3$s
                for (int from = first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                    %4$s
                }
                if (4 * WIDTH == RowReduction.LANES && end == count) {
                    %5$s
                    target[to] = ScalarFolds.%2$sOf16(lanes, 0);
                    target[to + 1] = ScalarFolds.%2$sOf16(others, 0);
                    return;
                }
                %6$s
            }
            target[to] = ScalarFolds.%2$sOf64(lanes, a, at + end, count - end);
            target[to + 1] = ScalarFolds.%2$sOf64(others, a, next + end, count - end);
        }
        """;

    /**
     * A way to join numbers.
     *
     * @param name the method that folds a row
     * @param ofTwo the method that folds two rows
     * @param join the method that joins lanes to others
     * @param scalar the operation on two floats
     * @param vector the operation of a vector
     */
    private record Fold(String name, String ofTwo, String join, String scalar, String vector) {
        String of(Object first, Object second) {
            return scalar.formatted(first, second);
        }
    }

    /** One row among those that a fold reads: the letter of its registers, where it begins, where its lanes are stored. */
    private record Row(String letter, String begin, String lanes) {
        String load(int register) {
            return "FloatVector %s%d = FloatVector.fromArray(SPECIES, a, %s + first%s);"
                    .formatted(letter, register, begin, separate(register));
        }

        String take(String operation, String from, int register) {
            return "%s%d = FloatVector.fromArray(SPECIES, a, %s%s).%s(%s%d);"
                    .formatted(letter, register, from, separate(register), operation, letter, register);
        }

        String join(String operation) {
            return "VectorMath.exact(%2$s0).%1$s(%2$s2).%1$s(VectorMath.exact(%2$s1).%1$s(%2$s3)).intoArray(%3$s, 0);"
                    .formatted(operation, letter, lanes);
        }

        String store(int register) {
            return "VectorMath.exact(%s%d).intoArray(%s, first%s);"
                    .formatted(letter, register, lanes, separate(register));
        }
    }

    private static final List<Fold> FOLDS = List.of(
            new Fold("sum", "sums", "add", "(%s + %s)", "add"),
            new Fold("max", "largest", "larger", "Math.max(%s, %s)", "max"),
            new Fold("min", "smallest", "smaller", "Math.min(%s, %s)", "min"));

    private static final Row ONE = new Row("v", "at", "lanes");
    private static final List<Row> TWO = List.of(ONE, new Row("w", "next", "others"));

    private FoldLoops() {}

    static GeneratedClass scalarFolds() {
        GeneratedClass folds = new GeneratedClass("fold", "public final class ScalarFolds", """
            The parts of {@link RowReduction} without vectors: runs of floats are joined to 64 lanes, and lanes to each other.""");
        FOLDS.forEach(fold -> folds.add(scalar(fold)));
        return folds;
    }

    static GeneratedClass vectorFolds() {
        GeneratedClass folds = new GeneratedClass("fold", "final class VectorFolds", """
            The folds of {@link RowReduction} for whole registers at a time; the same bits. A fold keeps four registers of lanes in one
            pass over the run, which has 64 numbers or more. If they hold all lanes, they are not stored until 16 lanes are left: a
            value that is read right after it was stored across two cache lines has to wait for both.

            <p>Two rows at once are two streams. Memory delivers them half as much faster as one stream, and neither waits for the
            other's last sixteen lanes.""").addSpecies("WIDTH");
        FOLDS.forEach(fold -> folds.add(oneRow(fold)));
        FOLDS.forEach(fold -> folds.add(twoRows(fold)));
        return folds;
    }

    private static String scalar(Fold fold) {
        return SCALAR.formatted(
                fold.name(),
                fold.join(),
                fold.of("lanes[lane]", "a[at + i + lane]"),
                fold.of("lanes[lane]", "a[at + lane]"),
                fold.of("joined", "a[first + i]"),
                lines(
                        4,
                        lane -> "float s" + lane + " = "
                                + fold.of(
                                        fold.of(element(lane), element(lane + 8)),
                                        fold.of(element(lane + 4), element(lane + 12)))
                                + ";"),
                fold.of(fold.of("s0", "s2"), fold.of("s1", "s3")));
    }

    private static String element(int lane) {
        return lane == 0 ? "l[at]" : "l[at + " + lane + "]";
    }

    private static String oneRow(Fold fold) {
        return ONE_ROW.formatted(
                fold.name(),
                lines(8, ONE::load),
                lines(12, register -> ONE.take(fold.vector(), "from", register)),
                ONE.join(fold.vector()),
                lines(8, ONE::store));
    }

    private static String twoRows(Fold fold) {
        return TWO_ROWS.formatted(
                fold.ofTwo(),
                fold.name(),
                ofBoth(8, row -> lines(8, row::load)),
                lines(12, register -> ofBoth(12, row -> row.take(fold.vector(), row.begin() + " + from", register))),
                ofBoth(12, row -> row.join(fold.vector())),
                ofBoth(8, row -> lines(8, row::store)));
    }

    private static String ofBoth(int indent, Function<Row, String> text) {
        return TWO.stream().map(text).collect(Collectors.joining("\n" + " ".repeat(indent)));
    }

    /** A line for each of four registers. */
    private static String lines(int indent, IntFunction<String> line) {
        return IntStream.range(0, 4).mapToObj(line).collect(Collectors.joining("\n" + " ".repeat(indent)));
    }

    private static String separate(int register) {
        return switch (register) {
            case 0 -> "";
            case 1 -> " + WIDTH";
            default -> " + " + register + " * WIDTH";
        };
    }
}
