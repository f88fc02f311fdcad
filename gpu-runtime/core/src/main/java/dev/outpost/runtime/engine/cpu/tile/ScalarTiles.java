package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.code.ScalarMath;
import dev.outpost.runtime.engine.cpu.vector.FloatMath;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Operations on tiles without vectors. A bool is 1 or 0. */
public final class ScalarTiles {
    private ScalarTiles() {}

    static void add(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] + b[atB + i];
        }
    }

    static void sub(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] - b[atB + i];
        }
    }

    static void mul(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] * b[atB + i];
        }
    }

    static void div(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] / b[atB + i];
        }
    }

    static void maximum(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = Math.max(a[atA + i], b[atB + i]);
        }
    }

    static void minimum(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = Math.min(a[atA + i], b[atB + i]);
        }
    }

    static void eq(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] == b[atB + i] ? 1f : 0f;
        }
    }

    static void ne(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] != b[atB + i] ? 1f : 0f;
        }
    }

    static void lt(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] < b[atB + i] ? 1f : 0f;
        }
    }

    static void le(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] <= b[atB + i] ? 1f : 0f;
        }
    }

    static void gt(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] > b[atB + i] ? 1f : 0f;
        }
    }

    static void ge(float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = a[atA + i] >= b[atB + i] ? 1f : 0f;
        }
    }

    static void neg(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = -a[atA + i];
        }
    }

    static void abs(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = Math.abs(a[atA + i]);
        }
    }

    static void sqrt(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = (float) Math.sqrt(a[atA + i]);
        }
    }

    static void relu(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = ScalarMath.relu(a[atA + i]);
        }
    }

    static void exp(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.exp(a[atA + i]);
        }
    }

    static void tanh(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.tanh(a[atA + i]);
        }
    }

    static void erfExponent(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.erfExponent(a[atA + i]);
        }
    }

    static void joinErf(float[] a, int atA, float[] power, int atPower, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.erf(a[atA + i], power[atPower + i]);
        }
    }

    static void sigmoidExponent(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.sigmoidExponent(a[atA + i]);
        }
    }

    static void joinSigmoid(float[] a, int atA, float[] power, int atPower, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = FloatMath.sigmoid(a[atA + i], power[atPower + i]);
        }
    }

    /** Computes a function that exists only for doubles, and rounds its result once. */
    static TileOp inDouble(DoubleUnaryOperator function) {
        return (a, atA, ignored, atIgnored, r, at, count) -> {
            for (int i = 0; i < count; i++) {
                r[at + i] = (float) function.applyAsDouble(a[atA + i]);
            }
        };
    }

    /** Works like {@link #inDouble(DoubleUnaryOperator)}, for a function of two numbers. */
    static TileOp inDouble(DoubleBinaryOperator function) {
        return (a, atA, b, atB, r, at, count) -> {
            for (int i = 0; i < count; i++) {
                r[at + i] = (float) function.applyAsDouble(a[atA + i], b[atB + i]);
            }
        };
    }

    /** Selects the first tile's element if the condition is true, and otherwise the second one's. */
    static void choose(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = c[atC + i] != 0f ? a[atA + i] : b[atB + i];
        }
    }

    public static void copy(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        System.arraycopy(a, atA, r, at, count);
    }

    /** Copies elements with any stride to a tile. */
    public static void gather(float[] a, int atA, int stride, float[] r, int count) {
        for (int i = 0; i < count; i++) {
            r[i] = a[atA + i * stride];
        }
    }
}
