package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.types.Shape;

/** Draws elementwise functions, arithmetic, comparisons and casts. */
final class PointwiseDraws {
    private PointwiseDraws() {}

    static void addTo(DrawTable table) {
        addFunctions(table);
        addArithmetic(table);
        addComparisons(table);
        addChoices(table);
        addActivations(table);
        addCasts(table);
    }

    private static void addFunctions(DrawTable table) {
        table.rows(
                draw -> Draft.of(draw.any()),
                "abs",
                "neg",
                "positive",
                "sign",
                "ceil",
                "floor",
                "trunc",
                "square",
                "isnan",
                "isinf",
                "isfinite",
                "isposinf",
                "isneginf",
                "isreal",
                "signbit",
                "logical_not",
                "angle",
                "real",
                "conj",
                "rad2deg",
                "deg2rad",
                "nan_to_num");
        table.rows(
                draw -> Draft.of(draw.once(4) ? draw.any() : draw.floating()),
                "frac",
                "sqrt",
                "rsqrt",
                "reciprocal",
                "exp",
                "exp2",
                "expm1",
                "log",
                "log2",
                "log10",
                "log1p",
                "sin",
                "cos",
                "tan",
                "asin",
                "acos",
                "atan",
                "sinh",
                "cosh",
                "tanh",
                "asinh",
                "acosh",
                "atanh",
                "sigmoid",
                "erf",
                "erfc",
                "erfinv",
                "lgamma",
                "sinc",
                "logit",
                "special.ndtr",
                "special.entr");
        table.row(
                "round",
                draw -> draw.once(3)
                        ? Draft.of(draw.any()).with("decimals", draw.between(-1, 3))
                        : Draft.of(draw.any()));
        // PyTorch's gradient of it is zeros that it never writes.
        table.row("sgn", draw -> Draft.of(draw.plain()));
        table.row("bitwise_not", draw -> Draft.of(draw.once(6) ? draw.any() : draw.integral()));
        table.row("frexp", draw -> Draft.of(draw.floating()).parts());
    }

    /** Draws two tensors, or a tensor and a number. */
    static Draft pair(Draw draw) {
        Known self = draw.any();
        return Draft.of(self, draw.once(3) ? draw.number() : draw.partner(self));
    }

    static Draft tensors(Draw draw) {
        Known self = draw.any();
        return Draft.of(self, draw.partner(self));
    }

    private static Draft integers(Draw draw) {
        Known self = draw.integral();
        return Draft.of(self, draw.once(4) ? draw.between(0, 7) : draw.partner(self));
    }

    private static Draft scaled(Draw draw) {
        Draft pair = tensors(draw);
        return draw.once(3) ? pair.with("alpha", draw.number()) : pair;
    }

    private static void addArithmetic(DrawTable table) {
        table.rows(draw -> draw.coin() ? pair(draw) : scaled(draw), "add", "sub", "rsub");
        table.rows(
                PointwiseDraws::pair,
                "mul",
                "true_divide",
                "floor_divide",
                "remainder",
                "fmod",
                "pow",
                "float_power",
                "xlogy",
                "copysign",
                "__radd__",
                "__rmul__",
                "__rsub__");
        table.row(
                "div",
                draw -> draw.coin() ? pair(draw).with("rounding_mode", draw.oneOf("trunc", "floor")) : pair(draw));
        table.rows(PointwiseDraws::integers, "gcd", "lcm");
        table.rows(
                PointwiseDraws::tensors,
                "atan2",
                "hypot",
                "nextafter",
                "ldexp",
                "maximum",
                "minimum",
                "fmax",
                "fmin",
                "special.xlog1py",
                "heaviside",
                "logaddexp",
                "logaddexp2");
        table.rows(PointwiseDraws::three, "addcmul", "addcdiv");
        table.row("lerp", draw -> {
            Known self = draw.once(5) ? draw.any() : draw.floating();
            Known end = draw.partner(self);
            return Draft.of(self, end, draw.coin() ? draw.number() : draw.partner(self));
        });
    }

    private static Draft three(Draw draw) {
        Known self = draw.any();
        Draft draft = Draft.of(self, draw.partner(self), draw.partner(self));
        return draw.coin() ? draft.with("value", draw.number()) : draft;
    }

    private static void addComparisons(DrawTable table) {
        table.rows(PointwiseDraws::pair, "eq", "ne", "lt", "le", "gt", "ge");
        table.rows(PointwiseDraws::tensors, "logical_and", "logical_or", "logical_xor", "isclose");
        table.rows(PointwiseDraws::integers, "bitwise_and", "bitwise_or", "bitwise_xor");
        table.rows(PointwiseDraws::shift, "bitwise_left_shift", "bitwise_right_shift");
        table.rows(
                draw -> {
                    Known self = draw.any();
                    return Draft.of(self, draw.like(self));
                },
                "equal",
                "allclose");
    }

    /** Draws a shift below the width of any dtype, because larger shifts are undefined in C. */
    private static Draft shift(Draw draw) {
        Known self = draw.integral();
        return Draft.of(
                self,
                draw.coin()
                        ? draw.between(0, 6)
                        : draw.literal(
                                HostTensor.scalar((long) draw.between(0, 6)).to(self.dtype()), false));
    }

    private static void addChoices(DrawTable table) {
        table.row("clamp", draw -> clamp(draw, draw.any()));
        table.rows(PointwiseDraws::pair, "clamp_min", "clamp_max");
        table.row("where", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.mask(draw.partOf(self.shape())), draw.partner(self));
        });
        table.row("masked_fill", draw -> {
            Known self = draw.any();
            Object value = draw.once(3) ? draw.of(self.dtype(), Shape.of()) : draw.number();
            return Draft.of(self, draw.mask(draw.partOf(self.shape())), value);
        });
    }

    static Draft clamp(Draw draw, Known self) {
        if (draw.once(3)) {
            return Draft.of(self, draw.once(4) ? null : draw.source(self), draw.source(self));
        }
        Number low = draw.number();
        return switch (draw.between(0, 2)) {
            case 0 -> Draft.of(self, low, draw.number());
            case 1 -> Draft.of(self, null, draw.number());
            default -> Draft.of(self, low);
        };
    }

    private static void addActivations(DrawTable table) {
        table.rows(
                draw -> Draft.of(draw.once(6) ? draw.any() : draw.floating()),
                "nn.functional.relu",
                "nn.functional.relu6",
                "nn.functional.hardsigmoid",
                "nn.functional.hardswish",
                "nn.functional.selu",
                "nn.functional.silu",
                "nn.functional.mish",
                "nn.functional.logsigmoid",
                "nn.functional.softsign",
                "nn.functional.tanhshrink",
                "nn.functional.elu",
                "nn.functional.celu",
                "nn.functional.softplus",
                "nn.functional.leaky_relu",
                "nn.functional.hardshrink",
                "nn.functional.softshrink");
        table.row(
                "nn.functional.gelu",
                draw -> Draft.of(draw.floating()).with("approximate", draw.oneOf("none", "tanh")));
        table.row("nn.functional.hardtanh", draw -> {
            double low = draw.real(-2, 1);
            return Draft.of(draw.any(), low, low + draw.real(0.5, 2));
        });
        table.row("nn.functional.threshold", draw -> Draft.of(draw.any(), draw.number(), draw.number()));
        table.row("nn.functional.glu", draw -> {
            Known self = draw.floatingOfRank(1, 4);
            return Draft.of(self, draw.dim(self));
        });
    }

    private static void addCasts(DrawTable table) {
        table.rows(
                draw -> Draft.of(draw.any()),
                "double",
                "float",
                "half",
                "bfloat16",
                "long",
                "int",
                "short",
                "char",
                "byte",
                "bool");
    }
}
