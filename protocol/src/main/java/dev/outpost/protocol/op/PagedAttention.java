package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.IndexException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Attention over keys and values that lie in pages of a pool (Kwon et al., 2023). Operands 0 to 2 are the query {@code [batch, heads,
 * tokens, features]}, and the pools of keys {@code [pages, page size, groups, features]} and of values {@code [pages, page size, groups,
 * value features]}. Operand 3 has the pages that hold the tokens of each sequence in order ({@code [batch, pages of a sequence]}, int64),
 * and operand 4 has the positions of the queries in their sequences ({@code [batch, tokens]}, int64). A query sees the tokens of its
 * sequence up to its own position. Neighbouring heads share a group.
 *
 * <p>The result is {@code [batch, heads, tokens, value features]}. A page or position that does not exist is refused, even if no query
 * sees it. It is a primitive, because a composition would copy the keys of all sequences out of the pool in each step.
 *
 * @param window (structure) the maximum number of tokens that a query sees, including its own; 0 for all
 * @param isCapped (structure) true if a hyperbolic tangent keeps scores within ± {@code cap}
 * @param scale (data) the factor of the products of queries and keys
 * @param cap (data) above 0
 */
public record PagedAttention(int window, boolean isCapped, double scale, double cap) implements Op {

    static final int OPERANDS = 5;
    static final OpSignature SIGNATURE = new OpSignature(209, "paged_attention", OPERANDS);

    static PagedAttention read(AttributeReader in) {
        return new PagedAttention(in.structure().smallInt("window"), in.flag(), in.real(), in.real());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(window);
        out.flag(isCapped);
        out.real(scale);
        out.real(cap);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        TensorType query = operands[0];
        for (int pool = 1; pool <= 2; pool++) {
            Op.requireSameDType(this, query, operands[pool]);
        }
        if (!query.dtype().isFloating()) {
            throw new OpException(label(), "needs a floating dtype, got " + query.dtype());
        }
        Op.requireDType(this, "the table of pages", DType.INT64, operands[3]);
        Op.requireDType(this, "the positions", DType.INT64, operands[4]);
        requireShapes(query.shape(), operands[1].shape(), operands[2].shape());
        requireSequences(query.shape(), operands[3].shape(), operands[4].shape());
        Shape shape = Shape.of(
                query.shape().size(0),
                query.shape().size(1),
                query.shape().size(2),
                operands[2].shape().size(3));
        return new TensorType[] {new TensorType(query.dtype(), shape)};
    }

    private void requireShapes(Shape query, Shape keys, Shape values) {
        boolean fits = query.rank() == 4 && keys.rank() == 4 && values.rank() == 4;
        for (int dim = 0; fits && dim < 3; dim++) {
            fits = keys.size(dim) == values.size(dim);
        }
        fits = fits && keys.size(1) > 0 && keys.size(2) > 0 && query.size(1) % keys.size(2) == 0;
        if (!fits || query.size(3) != keys.size(3)) {
            throw new OpException(
                    label(),
                    "query, keys and values must be [batch, heads, tokens, features], [pages, page size, groups, features]"
                            + " and [pages, page size, groups, value features], got " + query + ", " + keys + " and "
                            + values);
        }
    }

    private void requireSequences(Shape query, Shape table, Shape positions) {
        boolean fits = table.rank() == 2
                && positions.rank() == 2
                && table.size(0) == query.size(0)
                && positions.size(0) == query.size(0)
                && positions.size(1) == query.size(2);
        if (!fits) {
            throw new OpException(
                    label(),
                    "pages and positions must be [batch, pages of a sequence] and [batch, tokens], got " + table
                            + " and " + positions + " for a query " + query);
        }
    }

    /** Returns the refusal of a page that the pool does not have. */
    public IndexException noPage(long page, long pages) {
        return new IndexException(label(), "page " + page + " is out of bounds for a pool of " + pages, page, pages);
    }

    /** Returns the refusal of a position for which the table has no page. */
    public IndexException noPosition(long position, long tokens) {
        return new IndexException(
                label(),
                "position " + position + " is out of bounds for pages of " + tokens + " tokens",
                position,
                tokens);
    }

    /** Returns the first position that a query sees. */
    public long firstSeen(long position) {
        return window == 0 ? 0 : Math.max(0, position - window + 1);
    }
}
