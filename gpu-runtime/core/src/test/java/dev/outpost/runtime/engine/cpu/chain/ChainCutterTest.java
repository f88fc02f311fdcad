package dev.outpost.runtime.engine.cpu.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.Step;
import dev.outpost.runtime.engine.cpu.loop.TileProgram;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which operations form one loop, and which values it loads and stores. */
class ChainCutterTest {
    private final Chains chains = Chains.atOnce(64);

    /** {@code out0 = (in0 * n + in1) * n}: the number and the intermediate value are neither loaded nor stored. */
    @Test
    void intermediateValuesStayInRegisters() {
        Expression expression = new Expression(List.of(
                load(0),
                load(1),
                load(2),
                binary(Binary.MUL, 0, 2),
                binary(Binary.ADD, 3, 1),
                binary(Binary.MUL, 4, 2)));
        List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces =
                pieces(expression, Access.ALIGNED, Access.ALIGNED, Access.SCALAR, Access.ALIGNED);
        assertEquals(1, pieces.size());
        assertEquals("[in0, in1, out0]", pieces.getFirst().arrays().toString());
        assertEquals("[in2]", pieces.getFirst().numbers().toString());
        assertTrue(pieces.getFirst().listing(TileProgram.Stage::toString).startsWith("    in one loop"));
    }

    /** A chain that the JIT would not inline is cut, and repeated pieces share code. */
    @Test
    void aLongChainIsCutIntoEqualPieces() {
        List<Step> steps = new ArrayList<>(List.of(load(0), load(1)));
        for (int group = 0; group < 10; group++) {
            steps.add(binary(Binary.ADD, group == 0 ? 0 : steps.size() - 1, 1));
            steps.add(new Step.ApplyUnary(Unary.TANH, steps.size() - 1, DType.FLOAT32));
        }
        List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces = pieces(
                new Expression(steps), Collections.nCopies(3, Access.ALIGNED).toArray(Access[]::new));
        assertEquals(10, pieces.size());
        List<ChainCode> codes = pieces.stream()
                .map(ChainCutter.Piece::code)
                .filter(code -> code != null)
                .distinct()
                .toList();
        assertEquals(2, codes.size(), "the first has a further sum, the last a tanh alone");
    }

    /**
     * With a factor before it and a sum after it this was one loop, whose last part the JIT did not inline, so every vector became an
     * object.
     */
    @Test
    void anErrorFunctionWithWhatGoesAlongIsTwo() {
        Expression expression = new Expression(List.of(
                load(0),
                load(1),
                binary(Binary.MUL, 0, 1),
                new Step.ApplyUnary(Unary.ERF, 2, DType.FLOAT32),
                binary(Binary.ADD, 3, 1)));
        List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces =
                pieces(expression, Access.ALIGNED, Access.SCALAR, Access.ALIGNED);
        assertEquals(2, pieces.size());
        assertEquals("[in0, tile0, tile1]", pieces.get(0).arrays().toString());
        assertEquals("[tile0, tile1, out0]", pieces.get(1).arrays().toString());
    }

    /** Several results, one of which is used again after the cut. */
    @Test
    void valueReadLaterIsStored() {
        Expression expression = new Expression(
                List.of(
                        load(0),
                        new Step.ApplyUnary(Unary.TANH, 0, DType.FLOAT32),
                        binary(Binary.ADD, 1, 0),
                        new Step.ApplyUnary(Unary.EXP, 2, DType.FLOAT32),
                        binary(Binary.MUL, 3, 1)),
                List.of(4));
        List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces =
                pieces(expression, Access.ALIGNED, Access.ALIGNED);
        assertEquals(2, pieces.size());
        assertEquals("[in0, tile0, tile1]", pieces.get(0).arrays().toString());
        assertEquals("[tile1, tile0, out0]", pieces.get(1).arrays().toString());
    }

    @Test
    void anOperationByItselfIsTheLoopThatAllProgramsShare() {
        Expression expression = new Expression(List.of(load(0), new Step.ApplyUnary(Unary.TANH, 0, DType.FLOAT32)));
        assertFalse(
                pieces(expression, Access.ALIGNED, Access.ALIGNED).getFirst().loop() != null);
    }

    private List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces(
            Expression expression, Access... accesses) {
        return TileProgram.of(expression).orElseThrow().pieces(List.of(accesses), chains);
    }

    private static Step load(int operand) {
        return new Step.Load(operand, DType.FLOAT32);
    }

    private static Step binary(Binary op, int left, int right) {
        return new Step.ApplyBinary(op, left, right, DType.FLOAT32);
    }
}
