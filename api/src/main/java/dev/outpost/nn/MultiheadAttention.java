package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Attention of several heads, with projections of queries, keys, values and outputs (Vaswani et al., 2017;
 * torch.nn.MultiheadAttention). Inputs are {@code [length, batch, features]}, {@code [batch, length, features]} if
 * the batch is first, or {@code [length, features]} without a batch. Parameters have PyTorch's names, such as {@code
 * in_proj_weight} and {@code out_proj.weight}.
 */
public final class MultiheadAttention extends Module {
    private static final String OP = "multihead_attention";

    private final long embedding;
    private final int heads;
    private final MultiheadAttentionOptions options;
    private final @Nullable Parameter projection;
    private final @Nullable Parameter queryProjection;
    private final @Nullable Parameter keyProjection;
    private final @Nullable Parameter valueProjection;
    private final @Nullable Parameter bias;
    private final @Nullable Parameter keyBias;
    private final @Nullable Parameter valueBias;
    private final Linear output;

    /**
     * The result of attention.
     *
     * @param output the result, with the query's shape
     * @param weights {@code [batch, queries, keys]}, their mean over heads, or {@code [batch, heads, queries, keys]}; without the batch if
     *     there is none; null if they were not requested
     */
    public record Result(Tensor output, @Nullable Tensor weights) {
        List<Tensor> tensors() {
            return weights == null ? List.of(output) : List.of(output, weights);
        }
    }

    /**
     * The options of a call, in addition to query, key and value.
     *
     * @param keyPadding {@code [batch, keys]}: true, or minus infinity, for keys that no query attends to; or null
     * @param mask {@code [queries, keys]} or {@code [batch · heads, queries, keys]}: true, or minus infinity, for pairs that do not attend;
     *     other numbers are added to scores; or null
     * @param needWeights true to return weights; without them attention takes less memory
     * @param averageWeights true to average the weights of all heads
     * @param causal true if a query attends to no later key; a given mask is used instead
     */
    public record Call(
            @Nullable Tensor keyPadding,
            @Nullable Tensor mask,
            boolean needWeights,
            boolean averageWeights,
            boolean causal) {
        /** Returns options with averaged weights and without masks. */
        public static Call defaults() {
            return new Call(null, null, true, true, false);
        }

        public Call keyPadding(@Nullable Tensor padding) {
            return new Call(padding, mask, needWeights, averageWeights, causal);
        }

        public Call mask(@Nullable Tensor newMask) {
            return new Call(keyPadding, newMask, needWeights, averageWeights, causal);
        }

        public Call needWeights(boolean needed) {
            return new Call(keyPadding, mask, needed, averageWeights, causal);
        }

        public Call averageWeights(boolean averaged) {
            return new Call(keyPadding, mask, needWeights, averaged, causal);
        }

        public Call causal(boolean isCausal) {
            return new Call(keyPadding, mask, needWeights, averageWeights, isCausal);
        }
    }

    /**
     * Uses the {@linkplain MultiheadAttentionOptions#defaults default options}: inputs are {@code [length, batch, embedding]}.
     *
     * @throws OpException if the embedding is not a multiple of the heads
     */
    public MultiheadAttention(long embedding, int heads) {
        this(embedding, heads, MultiheadAttentionOptions.defaults());
    }

    /** @param embedding the features of queries and outputs; a multiple of the heads */
    public MultiheadAttention(long embedding, int heads, MultiheadAttentionOptions options) {
        if (embedding <= 0 || heads <= 0 || embedding % heads != 0) {
            throw new OpException(OP, "the features must divide into heads, got " + embedding + " and " + heads);
        }
        this.embedding = embedding;
        this.heads = heads;
        this.options = ArgumentChecks.required(options, "the options");
        long keySize = options.keySize().orElse(embedding);
        long valueSize = options.valueSize().orElse(embedding);
        boolean isOne = keySize == embedding && valueSize == embedding;
        projection = isOne ? weight("in_proj_weight", 3 * embedding, embedding) : null;
        queryProjection = isOne ? null : weight("q_proj_weight", embedding, embedding);
        keyProjection = isOne ? null : weight("k_proj_weight", embedding, keySize);
        valueProjection = isOne ? null : weight("v_proj_weight", embedding, valueSize);
        bias = options.bias() ? parameter("in_proj_bias", Init.zeros(), 3 * embedding) : null;
        keyBias = options.addBiasKv() ? parameter("bias_k", Init.xavierNormal(1), 1, 1, embedding) : null;
        valueBias = options.addBiasKv() ? parameter("bias_v", Init.xavierNormal(1), 1, 1, embedding) : null;
        output = register("out_proj", new Linear(embedding, embedding, options.bias()));
        if (options.bias()) {
            output.bias().initialize(Init.zeros());
        }
    }

    private Parameter weight(String name, long rows, long columns) {
        return parameter(name, Init.xavierUniform(1), rows, columns);
    }

    /**
     * Computes self-attention without masks, and returns only the output.
     *
     * {@snippet file="ModuleExamplesTest.java" region="multiheadAttention"}
     */
    @Override
    public Tensor forward(Tensor input) {
        return forward(input, input, input, Call.defaults().needWeights(false)).output();
    }

    /** Computes attention without masks, with weights. */
    public Result forward(Tensor query, Tensor key, Tensor value) {
        return forward(query, key, value, Call.defaults());
    }

    /** Computes attention with the options of the call. */
    public Result forward(Tensor query, Tensor key, Tensor value, Call call) {
        requireInputs(query, key, value);
        return Scope.tidy(() -> attend(query, key, value, call), Result::tensors);
    }

    private void requireInputs(Tensor query, Tensor key, Tensor value) {
        int rank = ArgumentChecks.required(query, "the query").dim();
        boolean fits = (rank == 2 || rank == 3)
                && ArgumentChecks.required(key, "the key").dim() == rank
                && ArgumentChecks.required(value, "the value").dim() == rank
                && query.size(-1) == embedding
                && key.size(-1) == options.keySize().orElse(embedding)
                && value.size(-1) == options.valueSize().orElse(embedding)
                && leading(key).equals(leading(value));
        if (!fits) {
            throw new OpException(
                    OP,
                    "query, key and value must have " + embedding + ", "
                            + options.keySize().orElse(embedding) + " and "
                            + options.valueSize().orElse(embedding) + " features, and a value for each key, got "
                            + query.shape() + ", " + key.shape() + " and " + value.shape());
        }
    }

    private static Shape leading(Tensor tensor) {
        return tensor.dim() == 2 ? Shape.of(tensor.size(0)) : Shape.of(tensor.size(0), tensor.size(1));
    }

    private Result attend(Tensor query, Tensor key, Tensor value, Call call) {
        boolean isBatched = query.dim() == 3;
        List<Tensor> projected = projected(batchFirst(query), batchFirst(key), batchFirst(value));
        List<Tensor> extended = withExtraRows(projected.get(1), projected.get(2));
        Tensor queries = heads(projected.getFirst());
        Tensor keys = heads(extended.get(0));
        Tensor values = heads(extended.get(1));
        Tensor mask =
                mask(call, queries, keys.size(-2), keys.size(-2) - key.size(isBatched && options.batchFirst() ? 1 : 0));
        boolean drops = isTraining() && options.dropout() > 0;
        if (!call.needWeights && !drops) {
            Tensor attended = Functional.scaledDotProductAttention(queries, keys, values, mask, false)
                    .output();
            return new Result(restored(attended, isBatched), null);
        }
        double scale = 1 / Math.sqrt((double) embedding / heads);
        Tensor scores = queries.mul(scale).matmul(keys.mT());
        Tensor weights = (mask == null ? scores : scores.add(mask)).softmax(-1);
        Tensor kept = Functional.dropout(weights, options.dropout(), isTraining());
        Tensor attended = kept.matmul(values);
        return new Result(restored(attended, isBatched), call.needWeights ? shown(kept, call, isBatched) : null);
    }

    private Tensor batchFirst(Tensor input) {
        if (input.dim() == 2) {
            return input.unsqueeze(0);
        }
        return options.batchFirst() ? input : input.transpose(0, 1);
    }

    private List<Tensor> projected(Tensor query, Tensor key, Tensor value) {
        List<Tensor> weights = projection == null
                ? List.of(queryProjection.tensor(), keyProjection.tensor(), valueProjection.tensor())
                : projection.tensor().chunk(3, 0);
        List<Tensor> inputs = List.of(query, key, value);
        List<Tensor> biases = bias == null ? null : bias.tensor().chunk(3, 0);
        List<Tensor> projected = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            projected.add(Functional.linear(
                    inputs.get(index), weights.get(index), biases == null ? null : biases.get(index)));
        }
        return projected;
    }

    private List<Tensor> withExtraRows(Tensor keys, Tensor values) {
        List<Tensor> keyRows = new ArrayList<>(List.of(keys));
        List<Tensor> valueRows = new ArrayList<>(List.of(values));
        if (keyBias != null) {
            keyRows.add(keyBias.tensor().expand(keys.size(0), 1, embedding));
            valueRows.add(valueBias.tensor().expand(keys.size(0), 1, embedding));
        }
        if (options.addZeroAttention()) {
            keyRows.add(keys.newZeros(keys.size(0), 1, embedding));
            valueRows.add(keys.newZeros(keys.size(0), 1, embedding));
        }
        return keyRows.size() == 1
                ? List.of(keys, values)
                : List.of(Tensors.cat(keyRows, 1), Tensors.cat(valueRows, 1));
    }

    /** Reshapes rows to {@code [batch, heads, length, features]}. */
    private Tensor heads(Tensor rows) {
        return rows.reshape(rows.size(0), rows.size(1), heads, embedding / heads)
                .transpose(1, 2);
    }

    /** @param extra the number of keys that were added, which are never masked */
    private @Nullable Tensor mask(Call call, Tensor queries, long keys, long extra) {
        long rows = queries.size(-2);
        Tensor mask = call.mask;
        if (mask == null && call.causal) {
            mask = queries.newOnes(DType.BOOL, rows, keys - extra).triu(1);
        }
        Tensor added =
                new AttentionMasks(queries.size(0), heads, rows, keys - extra).added(mask, call.keyPadding, queries);
        return added == null || extra == 0 ? added : added.pad(0, 0, extra);
    }

    private Tensor restored(Tensor attended, boolean isBatched) {
        Tensor rows = attended.transpose(1, 2);
        Tensor joined = output.call(rows.reshape(rows.size(0), rows.size(1), embedding));
        if (!isBatched) {
            return joined.squeeze(0);
        }
        return options.batchFirst() ? joined : joined.transpose(0, 1);
    }

    private static Tensor shown(Tensor weights, Call call, boolean isBatched) {
        Tensor shown = call.averageWeights ? weights.mean(1) : weights;
        return isBatched ? shown : shown.squeeze(0);
    }
}
