package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.code.Word;

/** What a fold starts with and how it takes in an element, as words of a text. */
final class Folding {
    private Folding() {}

    /** Says START and COMBINE for numbers of a word that is accumulated in. */
    static Template of(Template template, Reduce.Fn fn, Word sum) {
        return template.arithmetic(sum)
                .define("START", start(fn, sum))
                .define("COMBINE(x, y)", function(fn) + "_" + sum.value() + "(x, y)");
    }

    static String function(Reduce.Fn fn) {
        return switch (fn) {
            case SUM -> "add";
            case PROD -> "mul";
            case MAX -> "maximum";
            case MIN -> "minimum";
        };
    }

    private static String start(Reduce.Fn fn, Word sum) {
        boolean floating = sum == Word.F32 || sum == Word.F64;
        return switch (fn) {
            case SUM -> "0";
            case PROD -> "1";
            case MAX -> floating ? "((" + sum.value() + ") -INFINITE_F64)" : "SMALLEST_I64";
            case MIN -> floating ? "((" + sum.value() + ") INFINITE_F64)" : "LARGEST_I64";
        };
    }
}
