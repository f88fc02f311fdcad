package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;

/** The initial value of a fold and its step for an element, as text. */
public final class Folding {
    private Folding() {}

    /** Defines START and COMBINE for the type of an accumulator. */
    public static Template of(Template template, Reduce.Fn fn, CudaType sum) {
        return template.arithmetic(sum)
                .define("START", start(fn, sum))
                .define("COMBINE(x, y)", function(fn, sum) + "(x, y)");
    }

    /** Returns the function that combines two numbers of an accumulator's type. */
    static String function(Reduce.Fn fn, CudaType sum) {
        String name = switch (fn) {
            case SUM -> "add";
            case PROD -> "mul";
            case MAX -> "maximum";
            case MIN -> "minimum";
        };
        return name + "_" + sum.value();
    }

    /** Returns the neutral element of a fold. */
    static String start(Reduce.Fn fn, CudaType sum) {
        boolean floating = sum == CudaType.F32 || sum == CudaType.F64;
        return switch (fn) {
            case SUM -> "0";
            case PROD -> "1";
            case MAX -> floating ? "((" + sum.value() + ") -INFINITE_F64)" : "SMALLEST_I64";
            case MIN -> floating ? "((" + sum.value() + ") INFINITE_F64)" : "LARGEST_I64";
        };
    }
}
