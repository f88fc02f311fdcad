package dev.outpost.vocabulary;

import java.util.HashMap;
import java.util.Map;

/** PyTorch's aliases of some ops. */
final class Aliases {
    private static final Map<String, String> NAMES = new HashMap<>();

    static {
        add("abs", "absolute");
        add("acos", "arccos");
        add("acosh", "arccosh");
        add("add", "__add__");
        add("asin", "arcsin");
        add("asinh", "arcsinh");
        add("atan", "arctan");
        add("atan2", "arctan2");
        add("atanh", "arctanh");
        add("cat", "concat", "concatenate");
        add("clamp", "clip");
        add("clamp_", "clip_");
        add("digamma", "special.digamma", "special.psi");
        add("div", "divide", "__div__", "__truediv__");
        add("erf", "special.erf");
        add("erfc", "special.erfc");
        add("erfinv", "special.erfinv");
        add("exp2", "special.exp2");
        add("expm1", "special.expm1");
        add("ge", "greater_equal", "__ge__");
        add("gt", "greater", "__gt__");
        add("linalg.inv", "inverse");
        add("i0", "special.i0");
        add("igamma", "special.gammainc");
        add("igammac", "special.gammaincc");
        add("le", "less_equal", "__le__");
        add("lgamma", "special.gammaln");
        add("log1p", "special.log1p");
        add("log_softmax", "special.log_softmax", "nn.functional.log_softmax");
        add("logit", "special.logit");
        add("logsumexp", "special.logsumexp");
        add("lt", "less", "__lt__");
        add("matmul", "linalg.matmul", "__matmul__");
        add("movedim", "moveaxis");
        add("mul", "multiply", "__mul__");
        add("mvlgamma", "special.multigammaln");
        add("ne", "not_equal", "__ne__");
        add("neg", "negative");
        add("outer", "ger");
        add("round", "special.round");
        add("sigmoid", "special.expit", "nn.functional.sigmoid");
        add("sinc", "special.sinc");
        add("softmax", "special.softmax", "nn.functional.softmax");
        add("sub", "subtract", "__sub__");
        add("tanh", "nn.functional.tanh");
        add("transpose", "swapaxes", "swapdims");
        add("trunc", "fix");
        add("vstack", "row_stack");
        add("xlogy", "special.xlogy");
    }

    private Aliases() {}

    private static void add(String name, String... aliases) {
        for (String alias : aliases) {
            NAMES.put(alias, name);
        }
    }

    /** Returns the op's first name; returns the given name unless it is an alias. */
    static String resolve(String name) {
        return NAMES.getOrDefault(name, name);
    }

    static Map<String, String> all() {
        return Map.copyOf(NAMES);
    }
}
