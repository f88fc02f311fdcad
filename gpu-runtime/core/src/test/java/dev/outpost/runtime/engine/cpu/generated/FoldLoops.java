package dev.outpost.runtime.engine.cpu.generated;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The folds of rows of float32: four registers of one row, or of two rows at once. */
final class FoldLoops {
    private static final String ONE_ROW = """
        static float %1$s(float[] a, int at, int count, float[] lanes) {
            int end = at + count / RowReduction.LANES * RowReduction.LANES;
            for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
                %3$s
                for (int from = at + first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                    %4$s
                }
                if (4 * WIDTH == RowReduction.LANES && end == at + count) {
                    %5$s
                    return ScalarFolds.%1$sOf16(lanes, 0);
                }
                %6$s
            }
            return ScalarFolds.%1$sOf64(lanes, a, end, at + count - end);
        }
        """;

    private static final String TWO_ROWS = """
        /** The %2$s of two rows at once, to neighbours of {@code target}. */
        static void %1$s(float[] a, int at, int next, int count, float[] lanes, float[] others, float[] target, int to) {
            int end = count / RowReduction.LANES * RowReduction.LANES;
            for (int first = 0; first < RowReduction.LANES; first += 4 * WIDTH) {
                %4$s
                for (int from = first + RowReduction.LANES; from < end; from += RowReduction.LANES) {
                    %5$s
                }
                if (4 * WIDTH == RowReduction.LANES && end == count) {
                    %6$s
                    target[to] = ScalarFolds.%3$sOf16(lanes, 0);
                    target[to + 1] = ScalarFolds.%3$sOf16(others, 0);
                    return;
                }
                %7$s
            }
            target[to] = ScalarFolds.%3$sOf64(lanes, a, at + end, count - end);
            target[to + 1] = ScalarFolds.%3$sOf64(others, a, next + end, count - end);
        }
        """;

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

    private static final Row ONE = new Row("v", "at", "lanes");
    private static final List<Row> TWO = List.of(ONE, new Row("w", "next", "others"));

    private FoldLoops() {}

    static GeneratedClass folds() {
        return new GeneratedClass("fold", "final class VectorFolds", """
            The folds of {@link RowReduction} for whole registers at a time; the same bits. Four registers of lanes in one pass
            over the run, which is of 64 numbers or more. Where they hold all lanes, these are not stored until 16 are
            left: a value that is read right after it was stored across two cache lines has to wait for both.

            <p>Two rows at once are two streams, of which memory brings half as much again as of one, and neither waits for
            the other's last sixteen lanes.\
            """)
                .add(oneRow("sum", "add"))
                .add(oneRow("max", "max"))
                .add(oneRow("min", "min"))
                .add(twoRows("sums", "sums", "sum", "add"))
                .add(twoRows("largest", "largest elements", "max", "max"))
                .add(twoRows("smallest", "smallest elements", "min", "min"));
    }

    private static String oneRow(String name, String operation) {
        return ONE_ROW.formatted(
                name,
                operation,
                lines(register -> ONE.load(register)),
                lines(register -> ONE.take(operation, "from", register)),
                ONE.join(operation),
                lines(ONE::store));
    }

    private static String twoRows(String name, String result, String fold, String operation) {
        return TWO_ROWS.formatted(
                name,
                result,
                fold,
                TWO.stream().map(row -> lines(row::load)).collect(Collectors.joining("\n")),
                lines(register -> TWO.stream()
                        .map(row -> row.take(operation, row.begin() + " + from", register))
                        .collect(Collectors.joining("\n"))),
                TWO.stream().map(row -> row.join(operation)).collect(Collectors.joining("\n")),
                TWO.stream().map(row -> lines(row::store)).collect(Collectors.joining("\n")));
    }

    private static String lines(IntFunction<String> line) {
        return IntStream.range(0, 4).mapToObj(line).collect(Collectors.joining("\n"));
    }

    private static String separate(int register) {
        return switch (register) {
            case 0 -> "";
            case 1 -> " + WIDTH";
            default -> " + " + register + " * WIDTH";
        };
    }
}
