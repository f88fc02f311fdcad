package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Reduce;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** The initial value of each {@link Reduce.Fn}, and its step for an element. */
final class Folding {
    private Folding() {}

    static double startOfDoubles(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> 0;
            case PROD -> 1;
            case MAX -> Double.NEGATIVE_INFINITY;
            case MIN -> Double.POSITIVE_INFINITY;
        };
    }

    static DoubleBinaryOperator ofDoubles(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> Double::sum;
            case PROD -> (sofar, x) -> sofar * x;
            case MAX -> Math::max;
            case MIN -> Math::min;
        };
    }

    static long startOfLongs(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> 0;
            case PROD -> 1;
            case MAX -> Long.MIN_VALUE;
            case MIN -> Long.MAX_VALUE;
        };
    }

    static LongBinaryOperator ofLongs(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> Long::sum;
            case PROD -> (sofar, x) -> sofar * x;
            case MAX -> Math::max;
            case MIN -> Math::min;
        };
    }
}
