package dev.outpost.protocol.op;

import dev.outpost.types.MalformedException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Every op by its wire code: the one list that the codec and the tests walk. */
public final class OpTable {

    /** One op of the table: its code, how many operands it takes, and how its attributes are read. */
    public record Row(int code, int arity, Function<AttributeReader, Op> reader) {}

    private static final Row[] ROWS = new Row[256];

    static {
        for (Unary op : Unary.values()) {
            add(op.code(), op.arity(), in -> op);
        }
        for (Binary op : Binary.values()) {
            add(op.code(), op.arity(), in -> op);
        }
        for (Ternary op : Ternary.values()) {
            add(op.code(), op.arity(), in -> op);
        }
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            add(fn.code, 1, in -> Reduce.read(fn, in));
            add(Cumulative.code(fn), 1, in -> Cumulative.read(fn, in));
        }
        for (ArgReduce.Fn fn : ArgReduce.Fn.values()) {
            add(fn.code, 1, in -> ArgReduce.read(fn, in));
        }
        for (Random.Fn fn : Random.Fn.values()) {
            add(fn.code, 0, in -> Random.read(fn, in));
            add(Random.partCode(fn), 0, in -> Random.readPart(fn, in));
        }
        for (Scatter.Fn fn : Scatter.Fn.values()) {
            add(fn.code, 3, in -> Scatter.read(fn, in));
            add(IndexWrite.code(fn), 3, in -> IndexWrite.read(fn, in));
        }
        for (Convolution.Fn fn : Convolution.Fn.values()) {
            add(fn.code, 2, in -> Convolution.read(fn, in));
        }
        add(Cast.CODE, 1, Cast::read);
        add(AsStrided.CODE, 1, AsStrided::read);
        add(StridedWrite.CODE, 2, StridedWrite::read);
        add(Matmul.CODE, 2, in -> new Matmul());
        add(MaxPool.CODE, 1, MaxPool::read);
        add(Fill.CODE, 0, Fill::read);
        add(Arange.CODE, 0, Arange::read);
        add(Literal.CODE, 0, Literal::read);
        add(Upload.CODE, 0, Upload::read);
        add(Load.CODE, 0, Load::read);
        add(UpdateGuard.CODE, Op.VARIADIC, UpdateGuard::read);
        add(UpdateCommit.CODE, Op.VARIADIC, in -> new UpdateCommit());
        add(IndexCheck.CODE, 1, IndexCheck::read);
        add(Gather.CODE, 2, Gather::read);
        add(IndexSelect.CODE, 2, IndexSelect::read);
        add(Sort.CODE, 1, Sort::read);
        add(Concat.CODE, Op.VARIADIC, Concat::read);
        add(Nonzero.CODE, 1, Nonzero::read);
        add(Attention.CODE, Op.VARIADIC, Attention::read);
        add(AttentionGradient.CODE, Op.VARIADIC, AttentionGradient::read);
        add(PagedAttention.CODE, PagedAttention.OPERANDS, PagedAttention::read);
        for (Collective.Fn fn : Collective.Fn.values()) {
            add(fn.code, fn.arity, in -> Collective.read(fn, in));
        }
        add(QuantizedMatmul.CODE, QuantizedMatmul.OPERANDS, QuantizedMatmul::read);
        add(QuantizedMatmulInput.CODE, QuantizedMatmul.OPERANDS, QuantizedMatmulInput::read);
        add(ModelOpen.CODE, Op.VARIADIC, ModelOpen::read);
        add(ModelCall.CODE, Op.VARIADIC, ModelCall::read);
        addFactorizations();
    }

    private OpTable() {}

    private static void addFactorizations() {
        add(Cholesky.CODE, 1, Cholesky::read);
        add(LuFactor.CODE, 1, LuFactor::read);
        add(PivotOrder.CODE, 1, PivotOrder::read);
        add(TriangularSolve.CODE, 2, TriangularSolve::read);
        add(Qr.CODE, 1, Qr::read);
        add(Eigh.CODE, 1, Eigh::read);
        add(Eig.CODE, 1, Eig::read);
        add(Svd.CODE, 1, Svd::read);
        add(Ldl.CODE, 1, Ldl::read);
        add(LdlSolve.CODE, 3, LdlSolve::read);
    }

    /** All rows, by ascending code. */
    public static List<Row> rows() {
        return Arrays.stream(ROWS).filter(Objects::nonNull).toList();
    }

    /** How many operands the op of that code takes, or {@link Op#VARIADIC}. */
    public static int arity(int code) {
        return row(code).arity;
    }

    /** The op of that code with its attributes. */
    public static Op read(int code, AttributeReader in) {
        return row(code).reader.apply(in);
    }

    private static Row row(int code) {
        Row row = code >= 0 && code < ROWS.length ? ROWS[code] : null;
        if (row == null) {
            throw new MalformedException("op code " + code + " is unknown");
        }
        return row;
    }

    private static void add(int code, int arity, Function<AttributeReader, Op> reader) {
        if (ROWS[code] != null) {
            throw new IllegalStateException("two ops share the code " + code);
        }
        ROWS[code] = new Row(code, arity, reader);
    }
}
