package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.nn.Functional;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Steps of a Llama-shaped model over pages of keys and values, as models compute them. Each text has a context, whose pages are
 * consecutive. {@code gpu_peer.py} has transformers' and vLLM's steps.
 */
final class LlamaWork {
    private static final int PAGE = 16;
    private static final double WEIGHT = 0.02;
    private static final double BASE = 10_000;
    private static final double EPSILON = 1e-5;

    private final LlamaShape shape;
    private final RemoteMachine machine;
    private final DType dtype;
    private final Tensor tokens;
    private final Tensor norm;
    private final List<Layer> layers = new ArrayList<>();
    private final Tensor cosines;
    private final Tensor sines;
    /** The pages of each text, {@code [texts, pages]}. */
    private final Tensor table;

    private final int texts;

    /**
     * The weights of a layer, {@code [out, in]}, and its pool of keys and values, {@code [texts * context, groups, features]}.
     *
     * @param before the norm before attention
     * @param between the norm before the feed-forward net
     */
    private record Layer(
            Tensor query,
            Tensor key,
            Tensor value,
            Tensor output,
            Tensor gate,
            Tensor up,
            Tensor down,
            Tensor before,
            Tensor between,
            Tensor keys,
            Tensor values) {}

    LlamaWork(LlamaShape shape, RemoteMachine machine, DType dtype) {
        this(shape, machine, dtype, 1);
    }

    /** @param texts the number of texts with a context */
    LlamaWork(LlamaShape shape, RemoteMachine machine, DType dtype, int texts) {
        this.shape = shape;
        this.texts = texts;
        this.machine = machine;
        this.dtype = dtype;
        tokens = random(shape.vocabulary(), shape.hidden());
        norm = machine.ones(dtype, shape.hidden());
        for (int layer = 0; layer < shape.layers(); layer++) {
            layers.add(layer());
        }
        double[] angles = new double[shape.context() * shape.features() / 2];
        for (int place = 0; place < angles.length; place++) {
            int pair = place % (shape.features() / 2);
            int position = place / (shape.features() / 2);
            angles[place] = position * Math.pow(BASE, -2.0 * pair / shape.features());
        }
        Tensor turns = machine.tensor(angles, shape.context(), shape.features() / 2);
        cosines = turns.cos().to(dtype);
        sines = turns.sin().to(dtype);
        table = machine.arange((long) texts * shape.context() / PAGE).reshape(texts, -1);
    }

    private Layer layer() {
        long queries = (long) shape.heads() * shape.features();
        long groups = (long) shape.groups() * shape.features();
        return new Layer(
                random(queries, shape.hidden()),
                random(groups, shape.hidden()),
                random(groups, shape.hidden()),
                random(shape.hidden(), queries),
                random(shape.inner(), shape.hidden()),
                random(shape.inner(), shape.hidden()),
                random(shape.hidden(), shape.inner()),
                machine.ones(dtype, shape.hidden()),
                machine.ones(dtype, shape.hidden()),
                pool(),
                pool());
    }

    private Tensor pool() {
        return machine.zeros(dtype, (long) texts * shape.context(), shape.groups(), shape.features());
    }

    private Tensor random(long outputs, long inputs) {
        return machine.randn(dtype, outputs, inputs).mul_(WEIGHT);
    }

    /** Computes the token after a full context. */
    static GpuWorkload decode(LlamaShape shape, RemoteMachine machine) {
        long[] last = {shape.context() - 1};
        return new LlamaWork(shape, machine, DType.BFLOAT16).step(new long[] {1}, last);
    }

    /** Computes the token after a prompt. */
    static GpuWorkload prefill(LlamaShape shape, RemoteMachine machine) {
        long[] ids = new long[shape.context()];
        long[] positions = new long[shape.context()];
        Arrays.setAll(ids, place -> place % shape.vocabulary());
        Arrays.setAll(positions, place -> place);
        return new LlamaWork(shape, machine, DType.BFLOAT16).step(ids, positions);
    }

    /**
     * Computes a step of a busy server: a token of each of these texts, and a part of the prompt of another one. If half of a context is
     * its prompt, there is one prompt token for each new token.
     */
    static GpuWorkload serve(LlamaShape shape, RemoteMachine machine, int concurrent) {
        ServingStep step = ServingStep.of(shape, concurrent);
        LlamaWork model = new LlamaWork(shape, machine, DType.BFLOAT16, concurrent + 1);
        int rows = step.ids().length;
        return GpuWorkload.of(
                machine,
                in -> List.of(
                        model.logits(in.get(0), in.get(1), in.get(2), in.get(3)).argmax(-1)),
                machine.tensor(step.ids(), rows),
                machine.tensor(step.positions(), rows, 1),
                machine.tensor(step.texts(), rows),
                machine.arange(concurrent));
    }

    /** Returns the bytes of the pools of this number of texts. */
    static long poolBytes(LlamaShape shape, int texts) {
        return 2L
                * texts
                * shape.layers()
                * shape.context()
                * shape.groups()
                * shape.features()
                * DType.BFLOAT16.bytes();
    }

    private GpuWorkload step(long[] ids, long[] positions) {
        return GpuWorkload.of(
                machine,
                in -> List.of(logits(in.get(0), in.get(1)).argmax(-1)),
                machine.tensor(ids, ids.length),
                machine.tensor(positions, 1, positions.length));
    }

    /**
     * Computes the scores of the token after the last one. Writes the keys and values of all tokens.
     *
     * @param ids {@code [tokens]}, int64
     * @param positions {@code [1, tokens]}, int64
     * @return {@code [1, vocabulary]}
     */
    Tensor logits(Tensor ids, Tensor positions) {
        return logits(ids, positions, machine.arange(1), machine.tensor(new long[] {ids.size(0) - 1}, 1));
    }

    /**
     * Computes the scores of the tokens after some rows. Writes the keys and values of all tokens before any of them attends.
     *
     * @param ids {@code [rows * tokens]}, int64
     * @param positions {@code [rows, tokens]}, int64
     * @param ofRows the number of the text of each row, {@code [rows]}, int64
     * @param chosen the numbers of the tokens after which a token is requested, {@code [chosen]}, int64
     * @return {@code [chosen, vocabulary]}
     */
    Tensor logits(Tensor ids, Tensor positions, Tensor ofRows, Tensor chosen) {
        long rows = positions.size(0);
        Tensor slots = ofRows.mul(shape.context()).unsqueeze(-1).add(positions).reshape(-1);
        Tensor cosine = turns(cosines, positions);
        Tensor sine = turns(sines, positions);
        Tensor pages = table.indexSelect(0, ofRows);
        Tensor x = tokens.indexSelect(0, ids);
        for (Layer layer : layers) {
            Tensor before = normed(x, layer.before());
            Tensor query = turned(heads(rows, Functional.linear(before, layer.query(), null)), cosine, sine);
            Tensor key = turned(heads(rows, Functional.linear(before, layer.key(), null)), cosine, sine);
            Tensor value = heads(rows, Functional.linear(before, layer.value(), null));
            Tensor attended = AttentionPrimitives.paged(
                    query,
                    put(layer.keys(), slots, key),
                    put(layer.values(), slots, value),
                    pages,
                    positions,
                    0,
                    1 / Math.sqrt(shape.features()),
                    0);
            Tensor joined = attended.transpose(1, 2).reshape(x.size(0), -1);
            x = x.add(Functional.linear(joined, layer.output(), null));
            Tensor between = normed(x, layer.between());
            Tensor gated = Functional.silu(Functional.linear(between, layer.gate(), null))
                    .mul(Functional.linear(between, layer.up(), null));
            x = x.add(Functional.linear(gated, layer.down(), null));
        }
        return Functional.linear(normed(x.indexSelect(0, chosen), norm), tokens, null);
    }

    private Tensor normed(Tensor x, Tensor weight) {
        Tensor wide = x.to(DType.FLOAT32);
        Tensor root = wide.mul(wide).mean(-1, true).add(EPSILON).rsqrt();
        return wide.mul(root).to(dtype).mul(weight);
    }

    /** {@code [rows, 1, tokens, features / 2]}. */
    private static Tensor turns(Tensor ofPositions, Tensor positions) {
        return ofPositions
                .indexSelect(0, positions.reshape(-1))
                .reshape(positions.size(0), 1, positions.size(1), ofPositions.size(1));
    }

    /** {@code [rows, heads, tokens, features]}. */
    private Tensor heads(long rows, Tensor x) {
        return x.reshape(rows, x.size(0) / rows, -1, shape.features()).transpose(1, 2);
    }

    private Tensor turned(Tensor heads, Tensor cosine, Tensor sine) {
        long half = shape.features() / 2;
        Tensor first = heads.narrow(-1, 0, half);
        Tensor second = heads.narrow(-1, half, half);
        return Tensors.cat(
                List.of(
                        first.mul(cosine).sub(second.mul(sine)),
                        second.mul(cosine).add(first.mul(sine))),
                -1);
    }

    /** Writes the tokens, and returns the pool shaped by pages. */
    private Tensor put(Tensor pool, Tensor slots, Tensor added) {
        pool.indexCopy_(0, slots, added.transpose(1, 2).reshape(-1, shape.groups(), shape.features()));
        return pool.reshape(-1, PAGE, shape.groups(), shape.features());
    }
}
