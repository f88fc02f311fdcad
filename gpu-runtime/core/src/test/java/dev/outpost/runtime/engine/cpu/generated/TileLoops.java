package dev.outpost.runtime.engine.cpu.generated;

/** The loops over tiles of float32 for whole registers: one shape for each number of operands, filled in by an expression. */
final class TileLoops {
    private static final String UNARY = """
        %s static void %s(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                %s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                %s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String BINARY = """
        %s static void %s(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i);
                %s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                FloatVector y = FloatVector.fromArray(SPECIES, b, atB + i, rest);
                %s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String WITH_NUMBER = """
        static void %s(float[] a, int atA, float number, float[] r, int at, int count) {
            FloatVector y = FloatVector.broadcast(SPECIES, number);
            int i = 0;
            for (; i <= count - LANES; i += LANES) {
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i);
                %s.intoArray(r, at + i);
            }
            if (i < count) {
                VectorMask<Float> rest = SPECIES.indexInRange(i, count);
                FloatVector x = FloatVector.fromArray(SPECIES, a, atA + i, rest);
                %s.intoArray(r, at + i, rest);
            }
        }
        """;

    private static final String CHOICE = """
        /** The first where the condition is true, the second elsewhere. */
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

    private static final String FLAG = """
        /** 1 where it is true, 0 elsewhere, as a bool lies in a tile. */
        private static FloatVector flag(VectorMask<Float> mask) {
            return FloatVector.zero(SPECIES).blend(1f, mask);
        }
        """;

    private TileLoops() {}

    /** Arithmetic, comparisons and the choice between two. */
    static GeneratedClass tiles() {
        GeneratedClass tiles = new GeneratedClass("tile", "public final class VectorTiles", """
            {@link ScalarTiles} for whole registers at a time; the same bits. One loop an operation, compiled once for all
            programs. A masked step computes the elements behind the last whole register.\
            """);
        for (String operation : new String[] {"add", "sub", "mul", "div"}) {
            tiles.add(binary("", operation, "x." + operation + "(y)"));
        }
        tiles.add(binary("", "maximum", "x.max(y)"));
        tiles.add(binary("", "minimum", "x.min(y)"));
        for (String comparison : new String[] {"eq", "ne", "lt", "le", "gt", "ge"}) {
            tiles.add(binary("", comparison, "flag(x.compare(VectorOperators." + comparison.toUpperCase() + ", y))"));
        }
        for (String function : new String[] {"neg", "abs", "sqrt"}) {
            tiles.add(unary("", function, "x." + function + "()"));
        }
        tiles.add(unary("public", "relu", "VectorMath.relu(x)"));
        return tiles.add(CHOICE).add(FLAG);
    }

    /** The exponential and the functions that are made of it. */
    static GeneratedClass curves() {
        GeneratedClass curves = new GeneratedClass(
                "tile",
                "public final class VectorTranscendentals",
                "The loops of {@link VectorTiles} for the exponential and for the functions that are made of it.");
        for (String function : new String[] {"exp", "expOfNegative", "tanh", "erfExponent"}) {
            curves.add(unary("public", function, "VectorMath." + function + "(x)"));
        }
        curves.add(binary("public", "joinErf", "VectorMath.erf(x, y)"));
        curves.add(unary("public", "sigmoidExponent", "x.abs().neg()"));
        return curves.add(binary("public", "joinSigmoid", "VectorMath.sigmoid(x, y)"));
    }

    /** A tile and one number. */
    static GeneratedClass numbers() {
        GeneratedClass numbers = new GeneratedClass(
                "tile",
                "final class VectorNumbers",
                "The loops of {@link NumberOp} for whole registers at a time; the same bits.");
        for (String operation : new String[] {"add", "sub", "mul", "div"}) {
            numbers.add(withNumber(operation, "x." + operation + "(y)"));
        }
        numbers.add(withNumber("expOfSub", "VectorMath.exp(x.sub(y))"));
        return numbers.add(withNumber("expOfFall", "VectorMath.expOfNegative(x.sub(y))"));
    }

    private static String unary(String access, String name, String expression) {
        return UNARY.formatted(access, name, expression, expression);
    }

    private static String binary(String access, String name, String expression) {
        return BINARY.formatted(access, name, expression, expression);
    }

    private static String withNumber(String name, String expression) {
        return WITH_NUMBER.formatted(name, expression, expression);
    }
}
