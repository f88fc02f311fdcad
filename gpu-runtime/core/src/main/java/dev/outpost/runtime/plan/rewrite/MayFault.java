package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Eig;
import dev.outpost.protocol.op.Eigh;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Qr;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Svd;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.TriangularSolve;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;

/**
 * Finds instructions that do more than define their results. If such an instruction fails, its fault names a line of the program and
 * poisons the values of that line. So two such instructions are never merged. They are not dropped if their results are unused either,
 * because the fault is reported when the machine is closed.
 */
public final class MayFault {
    private MayFault() {}

    /**
     * Returns true if the instruction can fail on element values (index out of range, zero divisor) or has an effect,
     * such as consuming an upload.
     */
    public static boolean is(Instruction instruction) {
        return switch (instruction.op()) {
            case Binary binary ->
                divides(binary) && !instruction.resultType(0).dtype().isFloating();
            case IndexCheck _, Gather _, Scatter _, IndexSelect _, IndexWrite _, Nonzero _, PagedAttention _ -> true;
            case Cholesky cholesky -> cholesky.checked();
            case LuFactor lu -> lu.checked();
            case PivotOrder _, Eigh _, Eig _, Svd _, LdlSolve _ -> true;
            // An upload that no instruction takes would keep its memory.
            case Upload _ -> true;
            // A missing file or tensor of a source is reported to every user of it.
            case Load _ -> true;
            // A skipped update is reported to the client.
            case UpdateGuard _ -> true;
            case UpdateCommit _ -> false;
            // The other members wait for this exchange.
            case Collective _ -> true;
            // A failure to open or run a model is reported, and a model that draws random numbers draws new ones in
            // each call.
            case ModelOpen _, ModelCall _ -> true;
            case AsStrided _, Literal _, Unary _, Ternary _, Cast _, Reduce _, ArgReduce _, Cumulative _ -> false;
            case StridedWrite _, Matmul _, QuantizedMatmul _, QuantizedMatmulInput _ -> false;
            case Convolution _, MaxPool _, Fill _, Arange _, Random _ -> false;
            case Sort _, Concat _, Attention _, AttentionGradient _, TriangularSolve _, Qr _, Ldl _ -> false;
        };
    }

    private static boolean divides(Binary op) {
        return op == Binary.TRUNC_DIV || op == Binary.FLOOR_DIV || op == Binary.REMAINDER || op == Binary.FMOD;
    }
}
