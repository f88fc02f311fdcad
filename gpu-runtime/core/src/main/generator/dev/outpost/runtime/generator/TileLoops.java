package dev.outpost.runtime.generator;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The loops over tiles of float32 for each elementwise operation. There is one loop of floats and one of vectors for it. */
final class TileLoops {
    private static final String SCALAR_UNARY = """
        static void %s(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
            for (int i = 0; i < count; i++) {
                float x = a[atA + i];
                r[at + i] = %s;
            }
        }
        """;

    private static final String SCALAR_BINARY = """
        static void %s(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
            for (int i = 0; i < count; i++) {
                float x = a[atA + i];
                float y = b[atB + i];
                r[at + i] = %s;
            }
        }
        """;

    private static final String SCALAR_CHOICE = """
        /** Selects the first tile's element if the condition is true, and otherwise the second one's. */
        static void choose(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
            for (int i = 0; i < count; i++) {
                r[at + i] = c[atC + i] != 0f ? a[atA + i] : b[atB + i];
            }
        }
        """;

    private static final String SCALAR_WITH_NUMBER = """
        static void %s(float[] a, int atA, float y, float[] r, int at, int count) {
            for (int i = 0; i < count; i++) {
                float x = a[atA + i];
                r[at + i] = %s;
            }
        }
        """;

    private static final String VECTOR_UNARY = """
        public static void %1$s(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                %2$s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                %2$s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String VECTOR_BINARY = """
        public static void %1$s(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
                %2$s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
                %2$s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String VECTOR_CHOICE = """
        /** Selects the first tile's element if the condition is true, and otherwise the second one's. */
        static void choose(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                VectorMask<Float> isTrue =
                        FloatVector.fromArray(SPECIES, c, atC + i).compare(VectorOperators.NE, 0f);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                FloatVector.fromArray(SPECIES, b, atB + i).blend(x, isTrue).intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                VectorMask<Float> isTrue =
                        FloatVector.fromArray(SPECIES, c, atC + i, rest).compare(VectorOperators.NE, 0f);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                FloatVector.fromArray(SPECIES, b, atB + i, rest).blend(x, isTrue).intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String VECTOR_WITH_NUMBER = """
        static void %1$s(float[] a, int atA, float number, float[] r, int at, int count) {
            FloatVector y = FloatVector.broadcast(SPECIES, number);
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                %2$s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                %2$s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String STEP_UNARY = """
        public static FloatVector %s(FloatVector x) {
            return %s;
        }
        """;

    private static final String STEP_BINARY = """
        public static FloatVector %s(FloatVector x, FloatVector y) {
            return %s;
        }
        """;

    private static final String STEP_CHOICE = """
        /** Selects the second operand wherever the condition is not 0, and the third one elsewhere. */
        public static FloatVector choose(FloatVector condition, FloatVector x, FloatVector y) {
            return y.blend(x, condition.compare(VectorOperators.NE, 0f));
        }
        """;

    private static final Operation ADD = new Operation("add", 2, "x + y", "x.add(y)");
    private static final Operation SUB = new Operation("sub", 2, "x - y", "x.sub(y)");
    private static final Operation MUL = new Operation("mul", 2, "x * y", "x.mul(y)");
    private static final Operation DIV = new Operation("div", 2, "x / y", "x.div(y)");

    private static final List<Operation> ARITHMETIC = List.of(
            ADD,
            SUB,
            MUL,
            DIV,
            new Operation("maximum", 2, "Math.max(x, y)", "x.max(y)"),
            new Operation("minimum", 2, "Math.min(x, y)", "x.min(y)"),
            comparison("eq", "=="),
            comparison("ne", "!="),
            comparison("lt", "<"),
            comparison("le", "<="),
            comparison("gt", ">"),
            comparison("ge", ">="),
            new Operation("neg", 1, "-x", "x.neg()"),
            new Operation("abs", 1, "Math.abs(x)", "x.abs()"),
            new Operation("sqrt", 1, "(float) Math.sqrt(x)", "x.sqrt()"),
            new Operation("relu", 1, "ScalarMath.relu(x)", "VectorMath.relu(x)"));

    /** The exponential and the functions that are made of it. The second operand of some is the exponential of an intermediate value. */
    private static final List<Operation> TRANSCENDENTAL = List.of(
            new Operation("exp", 1, "FloatMath.exp(x)", "VectorMath.exp(x)"),
            new Operation("expOfNegative", 1, "FloatMath.exp(x)", "VectorMath.expOfNegative(x)"),
            new Operation("tanh", 1, "FloatMath.tanh(x)", "VectorMath.tanh(x)"),
            new Operation("erfExponent", 1, "FloatMath.erfExponent(x)", "VectorMath.erfExponent(x)"),
            new Operation("erf", 2, "FloatMath.erf(x, y)", "VectorMath.erf(x, y)"),
            new Operation("sigmoidExponent", 1, "FloatMath.sigmoidExponent(x)", "x.abs().neg()"),
            new Operation("sigmoid", 2, "FloatMath.sigmoid(x, y)", "VectorMath.sigmoid(x, y)"));

    private static final List<Operation> WITH_NUMBER = List.of(
            ADD,
            SUB,
            MUL,
            DIV,
            new Operation("expOfSub", 2, "FloatMath.exp(x - y)", "VectorMath.exp(x.sub(y))"),
            new Operation("expOfFall", 2, "FloatMath.exp(x - y)", "VectorMath.expOfNegative(x.sub(y))"));

    /**
     * An elementwise operation. The operands are called x and y.
     *
     * @param scalar the operation on floats
     * @param vector the operation on vectors, which computes the same bits
     */
    private record Operation(String name, int operands, String scalar, String vector) {}

    private TileLoops() {}

    private static Operation comparison(String name, String operator) {
        return new Operation(
                name,
                2,
                "x " + operator + " y ? 1f : 0f",
                "VectorMath.flag(x.compare(VectorOperators." + name.toUpperCase(Locale.ROOT) + ", y))");
    }

    static GeneratedClass scalarTiles() {
        GeneratedClass tiles = new GeneratedClass(
                "tile", "public final class ScalarTiles", "Operations on tiles without vectors. A bool is 1 or 0.");
        for (Operation operation : joined(ARITHMETIC, TRANSCENDENTAL)) {
            String loop = operation.operands() == 1 ? SCALAR_UNARY : SCALAR_BINARY;
            tiles.add(loop.formatted(operation.name(), operation.scalar()));
        }
        return tiles.add(SCALAR_CHOICE);
    }

    static GeneratedClass vectorTiles() {
        return vectors(ARITHMETIC, "public final class VectorTiles", """
            The operations of {@link ScalarTiles} for whole registers at a time; the same bits. A masked step computes the elements
            after the last whole register.""").add(VECTOR_CHOICE);
    }

    static GeneratedClass vectorTranscendentals() {
        return vectors(
                TRANSCENDENTAL,
                "public final class VectorTranscendentals",
                "The loops of {@link VectorTiles} for the exponential and for the functions that are made of it.");
    }

    private static GeneratedClass vectors(List<Operation> operations, String declaration, String description) {
        GeneratedClass tiles = new GeneratedClass("tile", declaration, description).addSpecies("LANES");
        for (Operation operation : operations) {
            String loop = operation.operands() == 1 ? VECTOR_UNARY : VECTOR_BINARY;
            tiles.add(loop.formatted(operation.name(), operation.vector()));
        }
        return tiles;
    }

    static GeneratedClass scalarNumbers() {
        GeneratedClass numbers = new GeneratedClass(
                "tile", "final class ScalarNumbers", "The loops of {@link NumberOp} without vectors.");
        for (Operation operation : WITH_NUMBER) {
            numbers.add(SCALAR_WITH_NUMBER.formatted(operation.name(), operation.scalar()));
        }
        return numbers;
    }

    static GeneratedClass vectorNumbers() {
        GeneratedClass numbers = new GeneratedClass(
                        "tile",
                        "final class VectorNumbers",
                        "The loops of {@link NumberOp} for whole registers at a time; the same bits.")
                .addSpecies("LANES");
        for (Operation operation : WITH_NUMBER) {
            numbers.add(VECTOR_WITH_NUMBER.formatted(operation.name(), operation.vector()));
        }
        return numbers;
    }

    static GeneratedClass vectorSteps() {
        GeneratedClass steps = new GeneratedClass("chain", "public final class VectorSteps", """
            The code of each {@link dev.outpost.runtime.engine.cpu.tile.VectorStep}. As in {@link VectorMath}, each method is short
            enough for the JIT to inline it always. Generated bytecode calls the methods by name.""");
        for (Operation operation : joined(ARITHMETIC, TRANSCENDENTAL)) {
            String step = operation.operands() == 1 ? STEP_UNARY : STEP_BINARY;
            steps.add(step.formatted(operation.name(), operation.vector()));
        }
        return steps.add(STEP_UNARY.formatted("copy", "x"))
                .add(STEP_UNARY.formatted("not", "FloatVector.broadcast(VectorMath.SPECIES, 1f).sub(x)"))
                .add(STEP_CHOICE);
    }

    private static List<Operation> joined(List<Operation> first, List<Operation> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
