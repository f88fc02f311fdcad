package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.math.SpecialFunctions;
import java.util.Optional;

/** The code of each elementwise op on tiles of float32. */
final class TileOps {
    private TileOps() {}

    /** Nothing where there is no code for it. */
    static Optional<TileOp> of(Unary op) {
        return Optional.ofNullable(
                switch (op) {
                    case COPY -> ScalarTiles::copy;
                    case NEG -> Vectors.PRESENT ? VectorTiles::neg : ScalarTiles::neg;
                    case ABS -> Vectors.PRESENT ? VectorTiles::abs : ScalarTiles::abs;
                    case SQRT -> Vectors.PRESENT ? VectorTiles::sqrt : ScalarTiles::sqrt;
                    case RELU -> Vectors.PRESENT ? VectorTiles::relu : ScalarTiles::relu;
                    case EXP -> Vectors.PRESENT ? VectorTiles::exp : ScalarTiles::exp;
                    case TANH -> Vectors.PRESENT ? VectorTiles::tanh : ScalarTiles::tanh;
                    case SIGMOID -> Vectors.PRESENT ? VectorTiles::sigmoid : ScalarTiles::sigmoid;
                    case LOG -> ScalarTiles.inDouble(Math::log);
                    case LOG1P -> ScalarTiles.inDouble(Math::log1p);
                    case EXPM1 -> ScalarTiles.inDouble(Math::expm1);
                    case SIN -> ScalarTiles.inDouble(Math::sin);
                    case COS -> ScalarTiles.inDouble(Math::cos);
                    case RSQRT -> ScalarTiles.inDouble(SpecialFunctions::rsqrt);
                    case ERF -> ScalarTiles.inDouble(SpecialFunctions::erf);
                    default -> null;
                });
    }

    /** Nothing where there is no code for it. */
    static Optional<TileOp> of(Binary op) {
        return Optional.ofNullable(
                switch (op) {
                    case ADD -> Vectors.PRESENT ? VectorTiles::add : ScalarTiles::add;
                    case SUB -> Vectors.PRESENT ? VectorTiles::sub : ScalarTiles::sub;
                    case MUL -> Vectors.PRESENT ? VectorTiles::mul : ScalarTiles::mul;
                    case DIV -> Vectors.PRESENT ? VectorTiles::div : ScalarTiles::div;
                    case MAXIMUM -> Vectors.PRESENT ? VectorTiles::maximum : ScalarTiles::maximum;
                    case MINIMUM -> Vectors.PRESENT ? VectorTiles::minimum : ScalarTiles::minimum;
                    case EQ -> Vectors.PRESENT ? VectorTiles::eq : ScalarTiles::eq;
                    case NE -> Vectors.PRESENT ? VectorTiles::ne : ScalarTiles::ne;
                    case LT -> Vectors.PRESENT ? VectorTiles::lt : ScalarTiles::lt;
                    case LE -> Vectors.PRESENT ? VectorTiles::le : ScalarTiles::le;
                    case GT -> Vectors.PRESENT ? VectorTiles::gt : ScalarTiles::gt;
                    case GE -> Vectors.PRESENT ? VectorTiles::ge : ScalarTiles::ge;
                    default -> null;
                });
    }

    /** Where the condition is true the first, elsewhere the second. */
    static void choose(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        if (Vectors.PRESENT) {
            VectorTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        } else {
            ScalarTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        }
    }
}
