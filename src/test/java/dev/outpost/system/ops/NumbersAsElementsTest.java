package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the conversion of Java numbers to a narrow dtype, as an element, a bound or a factor, as in PyTorch. */
class NumbersAsElementsTest extends OpsOnAMachine {
    private static Tensor bytes() {
        return longs(0, 1, 100, 255).uint8();
    }

    private static void assertDoesNotFit(String op, Executable call) {
        assertRefused(op + ": 300 does not fit uint8, which holds 0 to 255", call);
    }

    @Test
    @Tag("quick")
    void boundsArePromotedBeforeTheyAreCompared() {
        assertValues(bytes().clamp(-5, 2.5), 0, 1, 2.5, 2.5);
        assertValues(bytes().clamp(-0.5, 300), 0, 1, 100, 255);
        assertValues(bytes().clamp(machine.scalar(-1), machine.scalar(30.5)), 0, 1, 30.5, 30.5);
        assertValues(bytes().clamp(floats(-1), longs(300)), 0, 1, 100, 255);
        assertIs(
                DType.INT16,
                Shape.of(4),
                bytes().clamp(machine.scalar(-1), longs(30, 30, 30, 30).int16()));
        assertValues(bytes().clampMin(longs(-1, -1, -1, 300)), 0, 1, 100, 300);
    }

    /** As in PyTorch: the dtype of the result is uint8, in which -1 is 255. */
    @Test
    void aNegativeWholeBoundOfBytesWraps() {
        assertValues(bytes().clampMin(-1), 255, 255, 255, 255);
        assertValues(bytes().clamp(5, -5), 5, 5, 100, 251);
        assertValues(bytes().clamp_(null, -1), 0, 1, 100, 255);
        assertValues(bytes().clamp(machine.scalar(-1), null), 255, 255, 255, 255);
    }

    @Test
    void aBoundThatDoesNotFitIsRefused() {
        assertDoesNotFit("clamp", () -> bytes().clamp(3, 300));
        assertDoesNotFit("clamp_", () -> bytes().clamp_(3, 300));
        assertDoesNotFit("clamp_min", () -> bytes().clampMin(300));
        assertDoesNotFit("clamp_max_", () -> bytes().clampMax_(300));
        assertDoesNotFit("hardtanh", () -> bytes().hardtanh(0, 300));
        assertRefused(
                "clamp: 1000000.0 does not fit float16, which holds -65504.0 to 65504.0",
                () -> floats(1).float16().clamp(null, 1e6));
    }

    @Test
    void aBoundOfNanGivesNanWithoutAGradient() {
        assertValues(floats(1, 2).clampMin(NAN), NAN, NAN);
        assertValues(longs(1, 2).clampMax(NAN), NAN, NAN);
        assertValues(floats(1, 2).clamp(0, NAN), NAN, NAN);
        assertValues(slope(x -> x.clamp(0, NAN), 1, 2), 0, 0);
    }

    @Test
    void gradientsAtBoundsAndOfNanAreThoseOfPyTorch() {
        assertValues(slope(x -> x.clamp(-1, 1), -1, 1, NAN, 0, 5), 0, 0, 0, 1, 0);
        assertValues(slope(x -> x.clampMin(doubles(-1)), -1, NAN, 0), 0.5, 1, 1);
        assertValues(slope(x -> doubles(0, 0, 0).clampMax(x), 1, NAN, -1), 0, 1, 1);
        assertValues(slope(Tensor::hardtanh, -1, 1, NAN, 0, 5), 0, 0, 1, 1, 0);
    }

    @Test
    void hardtanhTakesNoNegativeBoundsOfBytes() {
        assertRefused("hardtanh: bounds of uint8 must not be negative, got -1 and 1", () -> bytes().hardtanh());
        assertRefused("hardtanh: bounds of uint8 must not be negative, got -3 and 2", () -> bytes().hardtanh(-3, 2));
        assertRefused(
                "hardtanh: not defined for bool, got bool[1]", () -> bools(true).hardtanh());
        assertValues(bytes().relu6(), 0, 1, 6, 6);
        assertValues(bytes().hardtanh(0.5, 2.5), 0, 1, 2, 2);
        assertValues(longs(-3, 0, 300).hardtanh(), -1, 0, 1);
    }

    @Test
    void thresholdIsCastBeforeItIsCompared() {
        assertValues(longs(-128, -1, 0, 127).int8().threshold(-0.5, 7), 7, 7, 7, 127);
        assertValues(bytes().threshold(-1, 7), 7, 7, 7, 7);
        assertDoesNotFit("threshold", () -> bytes().threshold(5, 300));
    }

    @Test
    void anElementThatDoesNotFitIsRefused() {
        Tensor mask = bools(true, false, false, false);
        Tensor index = longs(0);
        assertDoesNotFit("masked_fill", () -> bytes().maskedFill(mask, 300));
        assertDoesNotFit("masked_fill", () -> bytes().maskedFill_(mask, 300));
        assertDoesNotFit("fill_", () -> bytes().fill_(300));
        assertDoesNotFit("full_like", () -> bytes().fullLike(300));
        assertDoesNotFit("new_full", () -> bytes().newFull(300, 2));
        assertDoesNotFit("full", () -> machine.full(300, DType.UINT8, 2));
        assertDoesNotFit("set", () -> bytes().set(300, Index.at(0)));
        assertDoesNotFit("index_fill_", () -> bytes().indexFill_(0, index, 300));
        assertDoesNotFit("scatter", () -> bytes().scatter_(0, index, 300));
        assertDoesNotFit("where", () -> bytes().where(mask, 300));
        assertDoesNotFit("add_", () -> bytes().add_(bytes(), 300));
        assertDoesNotFit("sub", () -> bytes().sub(bytes(), 300));
        assertDoesNotFit("index_add", () -> bytes().indexAdd(0, index, bytes().narrow(0, 0, 1), 300));
        assertDoesNotFit("pow", () -> bytes().pow(300));
        assertDoesNotFit("addmm", () -> bytes().view(2, 2).addmm(bytes().view(2, 2), bytes().view(2, 2), 300, 1));
        assertRefused("pad: 300 does not fit uint8, which holds 0 to 255", () -> bytes().pad(300, 1, 0));
        assertRefused(
                "fill_: NaN does not fit int64, which holds -9223372036854775808 to 9223372036854775807",
                () -> longs(1).fill_(NAN));
        assertRefused("fill_: -0.5 does not fit uint8, which holds 0 to 255", () -> bytes().fill_(-0.5));
    }

    @Test
    void representableNumberIsCast() {
        assertValues(bytes().fill_(-129), 127, 127, 127, 127);
        assertValues(longs(1).int8().fill_(-0.5), 0);
        assertValues(floats(1).fill_(INF), INF);
        assertValues(floats(INF).float16().nanToNum(0, 1e6, null), INF);
        assertValues(bytes().maskedFill(bools(true), 2.5), 2, 2, 2, 2);
        assertEquals(true, bools(false).fill_(NAN).toBooleanArray()[0]);
        assertValues(longs(1, 2).uint8().add(300), 45, 46);
        assertValues(bytes().where(bools(false), -1), 255, 255, 255, 255);
    }
}
