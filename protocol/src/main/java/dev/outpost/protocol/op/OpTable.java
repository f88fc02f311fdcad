package dev.outpost.protocol.op;

import dev.outpost.types.MalformedException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** All ops by wire code, for the codec and the tests. */
public final class OpTable {

    /** One op of the table: its code, its number of operands, and the reader of its attributes. */
    public record Row(int code, int arity, Function<AttributeReader, Op> reader) {}

    private static final Row[] ROWS = new Row[256];

    static {
        Stream.of(Unary.values(), Binary.values(), Ternary.values())
                .flatMap(Arrays::stream)
                .forEach(op -> add(op.signature(), in -> op));
        for (Reduce.Fn fn : Reduce.Fn.values()) {
            add(fn.signature, in -> Reduce.read(fn, in));
            add(fn.cumulative, in -> Cumulative.read(fn, in));
        }
        for (ArgReduce.Fn fn : ArgReduce.Fn.values()) {
            add(fn.signature, in -> ArgReduce.read(fn, in));
        }
        for (Random.Fn fn : Random.Fn.values()) {
            add(fn.signature, in -> Random.read(fn, in));
            add(fn.part, in -> Random.readPart(fn, in));
        }
        for (Scatter.Fn fn : Scatter.Fn.values()) {
            add(fn.signature, in -> Scatter.read(fn, in));
            add(fn.indexWrite, in -> IndexWrite.read(fn, in));
        }
        for (Convolution.Fn fn : Convolution.Fn.values()) {
            add(fn.signature, in -> Convolution.read(fn, in));
        }
        add(Cast.SIGNATURE, Cast::read);
        add(AsStrided.SIGNATURE, AsStrided::read);
        add(StridedWrite.SIGNATURE, StridedWrite::read);
        add(Matmul.SIGNATURE, in -> new Matmul());
        add(MaxPool.SIGNATURE, MaxPool::read);
        add(Fill.SIGNATURE, Fill::read);
        add(Arange.SIGNATURE, Arange::read);
        add(Literal.SIGNATURE, Literal::read);
        add(Upload.SIGNATURE, Upload::read);
        add(Load.SIGNATURE, Load::read);
        add(UpdateGuard.SIGNATURE, UpdateGuard::read);
        add(UpdateCommit.SIGNATURE, in -> new UpdateCommit());
        add(IndexCheck.SIGNATURE, IndexCheck::read);
        add(Gather.SIGNATURE, Gather::read);
        add(IndexSelect.SIGNATURE, IndexSelect::read);
        add(Sort.SIGNATURE, Sort::read);
        add(Concat.SIGNATURE, Concat::read);
        add(Nonzero.SIGNATURE, Nonzero::read);
        add(Attention.SIGNATURE, Attention::read);
        add(AttentionGradient.SIGNATURE, AttentionGradient::read);
        add(PagedAttention.SIGNATURE, PagedAttention::read);
        for (Collective.Fn fn : Collective.Fn.values()) {
            add(fn.signature, in -> Collective.read(fn, in));
        }
        add(QuantizedMatmul.SIGNATURE, QuantizedMatmul::read);
        add(QuantizedMatmulInput.SIGNATURE, QuantizedMatmulInput::read);
        add(ModelOpen.SIGNATURE, ModelOpen::read);
        add(ModelCall.SIGNATURE, ModelCall::read);
        addFactorizations();
    }

    private OpTable() {}

    private static void addFactorizations() {
        add(Cholesky.SIGNATURE, Cholesky::read);
        add(LuFactor.SIGNATURE, LuFactor::read);
        add(PivotOrder.SIGNATURE, PivotOrder::read);
        add(TriangularSolve.SIGNATURE, TriangularSolve::read);
        add(Qr.SIGNATURE, Qr::read);
        add(Eigh.SIGNATURE, Eigh::read);
        add(Eig.SIGNATURE, Eig::read);
        add(Svd.SIGNATURE, Svd::read);
        add(Ldl.SIGNATURE, in -> new Ldl());
        add(LdlSolve.SIGNATURE, in -> new LdlSolve());
    }

    /** Returns all rows, by ascending code. */
    public static List<Row> rows() {
        return Arrays.stream(ROWS).filter(Objects::nonNull).toList();
    }

    /** Returns the number of operands of the op with that code, or {@link Op#VARIADIC}. */
    public static int arity(int code) {
        return row(code).arity;
    }

    /** Reads the attributes of the op with that code. */
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

    private static void add(OpSignature signature, Function<AttributeReader, Op> reader) {
        int code = signature.code();
        if (ROWS[code] != null) {
            throw new IllegalStateException("two ops share the code " + code);
        }
        ROWS[code] = new Row(code, signature.arity(), reader);
    }
}
