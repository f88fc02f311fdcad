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

    static void addTo(OpRegistry registry) {
        addFunctions(registry);
        addArithmetic(registry);
        addReflected(registry);
        addChoices(registry);
        addCombinations(registry);
        addSpecial(registry);
        addPolynomials(registry);
        addCasts(registry);
    }

    private static void addFunctions(OpRegistry registry) {
        registry.unary("abs", Tensor::abs);
        registry.unary("neg", Tensor::neg);
        registry.unary("positive", Tensor::positive);
        registry.unary("sign", Tensor::sign);
        registry.unary("sgn", Tensor::sgn);
        registry.unary("ceil", Tensor::ceil);
        registry.unary("floor", Tensor::floor);
        registry.unary("trunc", Tensor::trunc);
        registry.unary("frac", Tensor::frac);
        registry.one("round", call -> call.self().round(call.at(1, "decimals").dim(0)));
        registry.unary("sqrt", Tensor::sqrt);
        registry.unary("rsqrt", Tensor::rsqrt);
        registry.unary("reciprocal", Tensor::reciprocal);
        registry.unary("square", Tensor::square);
        registry.unary("exp", Tensor::exp);
        registry.unary("exp2", Tensor::exp2);
        registry.unary("expm1", Tensor::expm1);
        registry.unary("log", Tensor::log);
        registry.unary("log2", Tensor::log2);
        registry.unary("log10", Tensor::log10);
        registry.unary("log1p", Tensor::log1p);
        registry.unary("sin", Tensor::sin);
        registry.unary("cos", Tensor::cos);
        registry.unary("tan", Tensor::tan);
        registry.unary("asin", Tensor::asin);
        registry.unary("acos", Tensor::acos);
        registry.unary("atan", Tensor::atan);
        registry.unary("sinh", Tensor::sinh);
        registry.unary("cosh", Tensor::cosh);
        registry.unary("tanh", Tensor::tanh);
        registry.unary("asinh", Tensor::asinh);
        registry.unary("acosh", Tensor::acosh);
        registry.unary("atanh", Tensor::atanh);
        registry.unary("sigmoid", Tensor::sigmoid);
        registry.unary("erf", Tensor::erf);
        registry.unary("erfc", Tensor::erfc);
        registry.unary("special.erfcx", Tensor::erfcx);
        registry.unary("erfinv", Tensor::erfinv);
        registry.unary("lgamma", Tensor::lgamma);
        registry.unary("digamma", Tensor::digamma);
        registry.unary("sinc", Tensor::sinc);
        registry.unary("deg2rad", Tensor::deg2rad);
        registry.unary("rad2deg", Tensor::rad2deg);
        registry.one("logit", PointwiseTable::logit);
    }

    private static Tensor logit(OpCall call) {
        BoundArgument eps = call.at(1, "eps");
        return eps.isPresent() ? call.self().logit(eps.real(0)) : call.self().logit();
    }

    private static void addArithmetic(OpRegistry registry) {
        registry.one("add", call -> scaled(call, Tensor::add, Tensor::add));
        registry.one("sub", call -> scaled(call, Tensor::sub, Tensor::sub));
        registry.binary("mul", Tensor::mul, Tensor::mul);
        registry.one("div", PointwiseTable::div);
        registry.binary("true_divide", Tensor::div, Tensor::div);
        registry.binary("floor_divide", Tensor::floorDivide, Tensor::floorDivide);
        registry.binary("remainder", Tensor::remainder, Tensor::remainder);
        registry.binary("fmod", Tensor::fmod, Tensor::fmod);
        registry.binary("pow", Tensor::pow, Tensor::pow);
        registry.binary("float_power", Tensor::floatPower, Tensor::floatPower);
        registry.binary("gcd", Tensor::gcd);
        registry.binary("lcm", Tensor::lcm);
        registry.binary("atan2", Tensor::atan2);
        registry.binary("hypot", Tensor::hypot);
        registry.binary("copysign", Tensor::copysign, Tensor::copysign);
        registry.binary("nextafter", Tensor::nextafter);
        registry.binary("ldexp", Tensor::ldexp);
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
    private static void addReflected(OpRegistry registry) {
        registry.binary("__radd__", (self, other) -> other.add(self), Tensor::add);
        registry.binary("__rsub__", (self, other) -> other.sub(self), Tensor::rsub);
        registry.binary("__rmul__", Tensor::mul, Tensor::mul);
        registry.binary("__rdiv__", (self, other) -> other.div(self), Tensor::rdiv);
        registry.binary("__rmod__", (self, other) -> other.remainder(self));
        // PyTorch copies the base, so that no gradient flows to it.
        registry.binary("__rpow__", (self, other) -> other.detach().pow(self), Tensor::rpow);
        registry.binary("__rmatmul__", (self, other) -> other.matmul(self));
        registry.binary("__rand__", (self, other) -> other.bitwiseAnd(self), Tensor::bitwiseAnd);
        registry.binary("__ror__", (self, other) -> other.bitwiseOr(self), Tensor::bitwiseOr);
        registry.binary("__rxor__", (self, other) -> other.bitwiseXor(self), Tensor::bitwiseXor);
        registry.one("rsub", call -> scaled(call, (self, other, alpha) -> other.sub(self, alpha), Tensor::rsub));
    }

    private static void addChoices(OpRegistry registry) {
        registry.binary("maximum", Tensor::maximum);
        registry.binary("minimum", Tensor::minimum);
        registry.binary("fmax", Tensor::fmax);
        registry.binary("fmin", Tensor::fmin);
        registry.one("clamp", PointwiseTable::clamp);
        registry.binary("clamp_min", Tensor::clampMin, Tensor::clampMin);
        registry.binary("clamp_max", Tensor::clampMax, Tensor::clampMax);
        registry.binary("heaviside", Tensor::heaviside);
        registry.one(
                "nan_to_num",
                call -> call.self()
                        .nanToNum(
                                call.at(1, "nan").number(0),
                                call.at(2, "posinf").number(null),
                                call.at(3, "neginf").number(null)));
        registry.one("where", PointwiseTable::where);
        registry.one("masked_fill", PointwiseTable::maskedFill);
        registry.one("fill", call -> fill(call.self().clone(), call.at(1, "value")));
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

    private static void addCombinations(OpRegistry registry) {
        registry.one("lerp", PointwiseTable::lerp);
        registry.one(
                "addcmul",
                call -> call.self()
                        .addcmul(
                                call.at(1, "tensor1").tensor(),
                                call.at(2, "tensor2").tensor(),
                                call.named("value").number(1)));
        registry.one(
                "addcdiv",
                call -> call.self()
                        .addcdiv(
                                call.at(1, "tensor1").tensor(),
                                call.at(2, "tensor2").tensor(),
                                call.named("value").number(1)));
        registry.binary("logaddexp", Tensor::logaddexp);
        registry.binary("logaddexp2", Tensor::logaddexp2);
        registry.binary("xlogy", Tensor::xlogy, Tensor::xlogy);
    }

    private static Tensor lerp(OpCall call) {
        Tensor end = call.at(1, "end").tensor();
        BoundArgument weight = call.at(2, "weight");
        return weight.isNumber()
                ? call.self().lerp(end, weight.number())
                : call.self().lerp(end, weight.tensor());
    }

    private static void addSpecial(OpRegistry registry) {
        registry.unary("angle", Tensor::angle);
        registry.unary("real", Tensor::real);
        registry.unary("conj", Tensor::conj);
        registry.unary("conj_physical", Tensor::conj);
        registry.unary("resolve_conj", Tensor::conj);
        registry.unary("resolve_neg", Tensor::real);
        registry.many("frexp", call -> {
            MantissaAndExponent result = call.self().frexp();
            return List.of(result.mantissa(), result.exponent());
        });
        registry.one("mvlgamma", call -> call.self().mvlgamma(call.at(1, "p").dim()));
        registry.one("polygamma", PointwiseTable::polygamma);
        registry.one("special.polygamma", PointwiseTable::polygamma);
        registry.unary("special.ndtr", Tensor::ndtr);
        registry.unary("special.entr", Tensor::entr);
        registry.unary("i0", Tensor::i0);
        registry.unary("special.i0e", Tensor::i0e);
        registry.unary("special.i1", Tensor::i1);
        registry.unary("special.i1e", Tensor::i1e);
        registry.unary("special.ndtri", Tensor::ndtri);
        registry.unary("special.log_ndtr", Tensor::logNdtr);
        registry.unary("special.airy_ai", Tensor::airyAi);
        registry.unary("special.bessel_j0", Tensor::besselJ0);
        registry.unary("special.bessel_j1", Tensor::besselJ1);
        registry.unary("special.bessel_y0", Tensor::besselY0);
        registry.unary("special.bessel_y1", Tensor::besselY1);
        registry.unary("special.modified_bessel_i0", Tensor::modifiedBesselI0);
        registry.unary("special.modified_bessel_i1", Tensor::modifiedBesselI1);
        registry.unary("special.modified_bessel_k0", Tensor::modifiedBesselK0);
        registry.unary("special.modified_bessel_k1", Tensor::modifiedBesselK1);
        registry.unary("special.scaled_modified_bessel_k0", Tensor::scaledModifiedBesselK0);
        registry.unary("special.scaled_modified_bessel_k1", Tensor::scaledModifiedBesselK1);
        registry.unary("special.spherical_bessel_j0", Tensor::sphericalBesselJ0);
        registry.binary("special.zeta", Tensor::zeta, Tensor::zeta);
        registry.binary("igamma", Tensor::igamma);
        registry.binary("igammac", Tensor::igammac);
        registry.binary("special.xlog1py", Tensor::xlog1py);
    }

    /** The function takes the order first, the method second. */
    private static Tensor polygamma(OpCall call) {
        return call.at(1, "input").tensor().polygamma(call.at(0, "n").dim());
    }

    private static void addPolynomials(OpRegistry registry) {
        registry.binary("special.chebyshev_polynomial_t", Tensor::chebyshevPolynomialT);
        registry.binary("special.chebyshev_polynomial_u", Tensor::chebyshevPolynomialU);
        registry.binary("special.chebyshev_polynomial_v", Tensor::chebyshevPolynomialV);
        registry.binary("special.chebyshev_polynomial_w", Tensor::chebyshevPolynomialW);
        registry.binary("special.hermite_polynomial_h", Tensor::hermitePolynomialH);
        registry.binary("special.hermite_polynomial_he", Tensor::hermitePolynomialHe);
        registry.binary("special.laguerre_polynomial_l", Tensor::laguerrePolynomialL);
        registry.binary("special.legendre_polynomial_p", Tensor::legendrePolynomialP);
        registry.binary("special.shifted_chebyshev_polynomial_t", Tensor::shiftedChebyshevPolynomialT);
        registry.binary("special.shifted_chebyshev_polynomial_u", Tensor::shiftedChebyshevPolynomialU);
        registry.binary("special.shifted_chebyshev_polynomial_v", Tensor::shiftedChebyshevPolynomialV);
        registry.binary("special.shifted_chebyshev_polynomial_w", Tensor::shiftedChebyshevPolynomialW);
    }

    private static void addCasts(OpRegistry registry) {
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
                .forEach((name, dtype) -> registry.unary(name, self -> self.to(dtype)));
    }
}
