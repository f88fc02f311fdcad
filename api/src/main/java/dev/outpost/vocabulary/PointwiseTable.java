package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.DivMode;
import dev.outpost.ops.MantissaAndExponent;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Elementwise functions, arithmetic, casts. */
final class PointwiseTable {
    static final Map<String, DivMode> ROUNDINGS = Map.of("trunc", DivMode.TRUNC, "floor", DivMode.FLOOR);

    private PointwiseTable() {}

    static void addTo(OpRegistry table) {
        addFunctions(table);
        addArithmetic(table);
        addReflected(table);
        addChoices(table);
        addCombinations(table);
        addSpecial(table);
        addPolynomials(table);
        addCasts(table);
    }

    private static void addFunctions(OpRegistry table) {
        table.unary("abs", Tensor::abs);
        table.unary("neg", Tensor::neg);
        table.unary("positive", Tensor::positive);
        table.unary("sign", Tensor::sign);
        table.unary("sgn", Tensor::sgn);
        table.unary("ceil", Tensor::ceil);
        table.unary("floor", Tensor::floor);
        table.unary("trunc", Tensor::trunc);
        table.unary("frac", Tensor::frac);
        table.one("round", call -> call.self().round(call.at(1, "decimals").dim(0)));
        table.unary("sqrt", Tensor::sqrt);
        table.unary("rsqrt", Tensor::rsqrt);
        table.unary("reciprocal", Tensor::reciprocal);
        table.unary("square", Tensor::square);
        table.unary("exp", Tensor::exp);
        table.unary("exp2", Tensor::exp2);
        table.unary("expm1", Tensor::expm1);
        table.unary("log", Tensor::log);
        table.unary("log2", Tensor::log2);
        table.unary("log10", Tensor::log10);
        table.unary("log1p", Tensor::log1p);
        table.unary("sin", Tensor::sin);
        table.unary("cos", Tensor::cos);
        table.unary("tan", Tensor::tan);
        table.unary("asin", Tensor::asin);
        table.unary("acos", Tensor::acos);
        table.unary("atan", Tensor::atan);
        table.unary("sinh", Tensor::sinh);
        table.unary("cosh", Tensor::cosh);
        table.unary("tanh", Tensor::tanh);
        table.unary("asinh", Tensor::asinh);
        table.unary("acosh", Tensor::acosh);
        table.unary("atanh", Tensor::atanh);
        table.unary("sigmoid", Tensor::sigmoid);
        table.unary("erf", Tensor::erf);
        table.unary("erfc", Tensor::erfc);
        table.unary("special.erfcx", Tensor::erfcx);
        table.unary("erfinv", Tensor::erfinv);
        table.unary("lgamma", Tensor::lgamma);
        table.unary("digamma", Tensor::digamma);
        table.unary("sinc", Tensor::sinc);
        table.unary("deg2rad", Tensor::deg2rad);
        table.unary("rad2deg", Tensor::rad2deg);
        table.one("logit", PointwiseTable::logit);
    }

    private static Tensor logit(OpCall call) {
        BoundArgument eps = call.at(1, "eps");
        return eps.isPresent() ? call.self().logit(eps.real(0)) : call.self().logit();
    }

    private static void addArithmetic(OpRegistry table) {
        table.one("add", call -> scaled(call, Tensor::add, Tensor::add));
        table.one("sub", call -> scaled(call, Tensor::sub, Tensor::sub));
        table.binary("mul", Tensor::mul, Tensor::mul);
        table.one("div", PointwiseTable::div);
        table.binary("true_divide", Tensor::div, Tensor::div);
        table.binary("floor_divide", Tensor::floorDivide, Tensor::floorDivide);
        table.binary("remainder", Tensor::remainder, Tensor::remainder);
        table.binary("fmod", Tensor::fmod, Tensor::fmod);
        table.binary("pow", Tensor::pow, Tensor::pow);
        table.binary("float_power", Tensor::floatPower, Tensor::floatPower);
        table.binary("gcd", Tensor::gcd);
        table.binary("lcm", Tensor::lcm);
        table.binary("atan2", Tensor::atan2);
        table.binary("hypot", Tensor::hypot);
        table.binary("copysign", Tensor::copysign, Tensor::copysign);
        table.binary("nextafter", Tensor::nextafter);
        table.binary("ldexp", Tensor::ldexp);
    }

    /** With {@code alpha}, the factor of the second operand. */
    private static Tensor scaled(OpCall call, Scaled op, BiFunction<Tensor, Number, Tensor> withNumber) {
        Tensor self = call.self();
        BoundArgument other = call.at(1, "other");
        return other.isNumber()
                ? withNumber.apply(self, other.number())
                : op.apply(self, other.tensor(), call.named("alpha").number(1));
    }

    private interface Scaled {
        Tensor apply(Tensor self, Tensor other, Number alpha);
    }

    private static Tensor div(OpCall call) {
        Tensor self = call.self();
        BoundArgument other = call.at(1, "other");
        DivMode mode = call.named("rounding_mode").choice(ROUNDINGS, null);
        if (other.isNumber()) {
            return mode == null ? self.div(other.number()) : self.div(other.number(), mode);
        }
        return mode == null ? self.div(other.tensor()) : self.div(other.tensor(), mode);
    }

    /** In Java the operands change places: {@code x.__rsub__(y)} is {@code y.sub(x)}. */
    private static void addReflected(OpRegistry table) {
        table.binary("__radd__", (self, other) -> other.add(self), Tensor::add);
        table.binary("__rsub__", (self, other) -> other.sub(self), Tensor::rsub);
        table.binary("__rmul__", Tensor::mul, Tensor::mul);
        table.binary("__rdiv__", (self, other) -> other.div(self), Tensor::rdiv);
        table.binary("__rmod__", (self, other) -> other.remainder(self));
        // PyTorch copies the base, so that no gradient flows to it.
        table.binary("__rpow__", (self, other) -> other.detach().pow(self), Tensor::rpow);
        table.binary("__rmatmul__", (self, other) -> other.matmul(self));
        table.binary("__rand__", (self, other) -> other.bitwiseAnd(self), Tensor::bitwiseAnd);
        table.binary("__ror__", (self, other) -> other.bitwiseOr(self), Tensor::bitwiseOr);
        table.binary("__rxor__", (self, other) -> other.bitwiseXor(self), Tensor::bitwiseXor);
        table.one("rsub", call -> scaled(call, (self, other, alpha) -> other.sub(self, alpha), Tensor::rsub));
    }

    private static void addChoices(OpRegistry table) {
        table.binary("maximum", Tensor::maximum);
        table.binary("minimum", Tensor::minimum);
        table.binary("fmax", Tensor::fmax);
        table.binary("fmin", Tensor::fmin);
        table.one("clamp", PointwiseTable::clamp);
        table.binary("clamp_min", Tensor::clampMin, Tensor::clampMin);
        table.binary("clamp_max", Tensor::clampMax, Tensor::clampMax);
        table.binary("heaviside", Tensor::heaviside);
        table.one(
                "nan_to_num",
                call -> call.self()
                        .nanToNum(
                                call.at(1, "nan").number(0),
                                call.at(2, "posinf").number(null),
                                call.at(3, "neginf").number(null)));
        table.one("where", PointwiseTable::where);
        table.one("masked_fill", PointwiseTable::maskedFill);
        table.one("fill", call -> fill(call.self().clone(), call.at(1, "value")));
    }

    private static Tensor clamp(OpCall call) {
        Tensor self = call.self();
        BoundArgument min = call.at(1, "min");
        BoundArgument max = call.at(2, "max");
        return min.isNumber() || max.isNumber()
                ? self.clamp(min.number(null), max.number(null))
                : self.clamp(min.tensorOrNull(), max.tensorOrNull());
    }

    private static Tensor where(OpCall call) {
        Tensor condition = call.at(0, "condition").tensor();
        BoundArgument input = call.at(1, "input");
        BoundArgument other = call.at(2, "other");
        if (!input.isTensor()) {
            throw input.unsupported("a tensor");
        }
        return other.isNumber()
                ? input.tensor().where(condition, other.number())
                : input.tensor().where(condition, other.tensor());
    }

    private static Tensor maskedFill(OpCall call) {
        Tensor mask = call.at(1, "mask").tensor();
        BoundArgument value = call.at(2, "value");
        return value.isTensor()
                ? call.self().maskedFill(mask, value.tensor())
                : call.self().maskedFill(mask, value.number());
    }

    private static Tensor fill(Tensor target, BoundArgument value) {
        return value.isTensor() ? target.fill_(value.tensor()) : target.fill_(value.number());
    }

    private static void addCombinations(OpRegistry table) {
        table.one("lerp", PointwiseTable::lerp);
        table.one(
                "addcmul",
                call -> call.self()
                        .addcmul(
                                call.at(1, "tensor1").tensor(),
                                call.at(2, "tensor2").tensor(),
                                call.named("value").number(1)));
        table.one(
                "addcdiv",
                call -> call.self()
                        .addcdiv(
                                call.at(1, "tensor1").tensor(),
                                call.at(2, "tensor2").tensor(),
                                call.named("value").number(1)));
        table.binary("logaddexp", Tensor::logaddexp);
        table.binary("logaddexp2", Tensor::logaddexp2);
        table.binary("xlogy", Tensor::xlogy, Tensor::xlogy);
    }

    private static Tensor lerp(OpCall call) {
        Tensor end = call.at(1, "end").tensor();
        BoundArgument weight = call.at(2, "weight");
        return weight.isNumber()
                ? call.self().lerp(end, weight.number())
                : call.self().lerp(end, weight.tensor());
    }

    private static void addSpecial(OpRegistry table) {
        table.unary("angle", Tensor::angle);
        table.unary("real", Tensor::real);
        table.unary("conj", Tensor::conj);
        table.unary("conj_physical", Tensor::conj);
        table.unary("resolve_conj", Tensor::conj);
        table.unary("resolve_neg", Tensor::real);
        table.many("frexp", call -> {
            MantissaAndExponent result = call.self().frexp();
            return List.of(result.mantissa(), result.exponent());
        });
        table.one("mvlgamma", call -> call.self().mvlgamma(call.at(1, "p").dim()));
        table.one("polygamma", PointwiseTable::polygamma);
        table.one("special.polygamma", PointwiseTable::polygamma);
        table.unary("special.ndtr", Tensor::ndtr);
        table.unary("special.entr", Tensor::entr);
        table.unary("i0", Tensor::i0);
        table.unary("special.i0e", Tensor::i0e);
        table.unary("special.i1", Tensor::i1);
        table.unary("special.i1e", Tensor::i1e);
        table.unary("special.ndtri", Tensor::ndtri);
        table.unary("special.log_ndtr", Tensor::logNdtr);
        table.unary("special.airy_ai", Tensor::airyAi);
        table.unary("special.bessel_j0", Tensor::besselJ0);
        table.unary("special.bessel_j1", Tensor::besselJ1);
        table.unary("special.bessel_y0", Tensor::besselY0);
        table.unary("special.bessel_y1", Tensor::besselY1);
        table.unary("special.modified_bessel_i0", Tensor::modifiedBesselI0);
        table.unary("special.modified_bessel_i1", Tensor::modifiedBesselI1);
        table.unary("special.modified_bessel_k0", Tensor::modifiedBesselK0);
        table.unary("special.modified_bessel_k1", Tensor::modifiedBesselK1);
        table.unary("special.scaled_modified_bessel_k0", Tensor::scaledModifiedBesselK0);
        table.unary("special.scaled_modified_bessel_k1", Tensor::scaledModifiedBesselK1);
        table.unary("special.spherical_bessel_j0", Tensor::sphericalBesselJ0);
        table.binary("special.zeta", Tensor::zeta, Tensor::zeta);
        table.binary("igamma", Tensor::igamma);
        table.binary("igammac", Tensor::igammac);
        table.binary("special.xlog1py", Tensor::xlog1py);
    }

    /** The function takes the order first, the method second. */
    private static Tensor polygamma(OpCall call) {
        return call.at(1, "input").tensor().polygamma(call.at(0, "n").dim());
    }

    private static void addPolynomials(OpRegistry table) {
        table.binary("special.chebyshev_polynomial_t", Tensor::chebyshevPolynomialT);
        table.binary("special.chebyshev_polynomial_u", Tensor::chebyshevPolynomialU);
        table.binary("special.chebyshev_polynomial_v", Tensor::chebyshevPolynomialV);
        table.binary("special.chebyshev_polynomial_w", Tensor::chebyshevPolynomialW);
        table.binary("special.hermite_polynomial_h", Tensor::hermitePolynomialH);
        table.binary("special.hermite_polynomial_he", Tensor::hermitePolynomialHe);
        table.binary("special.laguerre_polynomial_l", Tensor::laguerrePolynomialL);
        table.binary("special.legendre_polynomial_p", Tensor::legendrePolynomialP);
        table.binary("special.shifted_chebyshev_polynomial_t", Tensor::shiftedChebyshevPolynomialT);
        table.binary("special.shifted_chebyshev_polynomial_u", Tensor::shiftedChebyshevPolynomialU);
        table.binary("special.shifted_chebyshev_polynomial_v", Tensor::shiftedChebyshevPolynomialV);
        table.binary("special.shifted_chebyshev_polynomial_w", Tensor::shiftedChebyshevPolynomialW);
    }

    private static void addCasts(OpRegistry table) {
        Map.of(
                        "double", DType.FLOAT64,
                        "float", DType.FLOAT32,
                        "half", DType.FLOAT16,
                        "bfloat16", DType.BFLOAT16,
                        "long", DType.INT64,
                        "int", DType.INT32,
                        "short", DType.INT16,
                        "char", DType.INT8,
                        "byte", DType.UINT8,
                        "bool", DType.BOOL)
                .forEach((name, dtype) -> table.unary(name, self -> self.to(dtype)));
    }
}
