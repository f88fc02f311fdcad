package dev.outpost.cli.gpu;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.internal.ops.AttentionPrimitives;
import dev.outpost.nn.functional.Functional;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Steps of a Llama-shaped model over pages of keys and values, as models compute them. {@code gpu_peer.py} has transformers' step. */
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
    private final Tensor table;

    /**
     * The weights of a layer, {@code [out, in]}, and its pool of keys and values, {@code [tokens, groups, features]}.
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
        this.shape = shape;
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
        table = machine.arange(shape.context() / PAGE).unsqueeze(0);
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
                machine.zeros(dtype, shape.context(), shape.groups(), shape.features()),
                machine.zeros(dtype, shape.context(), shape.groups(), shape.features()));
    }

    private Tensor random(long outputs, long inputs) {
        return machine.randn(dtype, outputs, inputs).mul_(WEIGHT);
    }

    /** The token behind a context that is full. */
    static Work decode(LlamaShape shape, RemoteMachine machine) {
        long[] last = {shape.context() - 1};
        return new LlamaWork(shape, machine, DType.BFLOAT16).step(new long[] {1}, last);
    }

    /** The token behind a prompt. */
    static Work prefill(LlamaShape shape, RemoteMachine machine) {
        long[] ids = new long[shape.context()];
        long[] positions = new long[shape.context()];
        Arrays.setAll(ids, place -> place % shape.vocabulary());
        Arrays.setAll(positions, place -> place);
        return new LlamaWork(shape, machine, DType.BFLOAT16).step(ids, positions);
    }

    private Work step(long[] ids, long[] positions) {
        return Work.of(
                machine,
                in -> List.of(logits(in.get(0), in.get(1)).argmax(-1)),
                machine.tensor(ids, ids.length),
                machine.tensor(positions, 1, positions.length));
    }

    /**
     * The scores of the token behind the last one. Keys and values of all are written.
     *
     * @param ids {@code [tokens]}, int64
     * @param positions {@code [1, tokens]}, int64
     * @return {@code [1, vocabulary]}
     */
    Tensor logits(Tensor ids, Tensor positions) {
        Tensor slots = positions.reshape(-1);
        Tensor cosine = cosines.indexSelect(0, slots);
        Tensor sine = sines.indexSelect(0, slots);
        Tensor x = tokens.indexSelect(0, ids);
        for (Layer layer : layers) {
            Tensor before = normed(x, layer.before());
            Tensor query = turned(heads(Functional.linear(before, layer.query(), null)), cosine, sine);
            Tensor key = turned(heads(Functional.linear(before, layer.key(), null)), cosine, sine);
            Tensor value = heads(Functional.linear(before, layer.value(), null));
            Tensor attended = AttentionPrimitives.paged(
                    query,
                    put(layer.keys(), slots, key),
                    put(layer.values(), slots, value),
                    table,
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
        return Functional.linear(normed(x.narrow(0, x.size(0) - 1, 1), norm), tokens, null);
    }

    private Tensor normed(Tensor x, Tensor weight) {
        Tensor wide = x.to(DType.FLOAT32);
        Tensor root = wide.mul(wide).mean(-1, true).add(EPSILON).rsqrt();
        return wide.mul(root).to(dtype).mul(weight);
    }

    /** {@code [1, heads, tokens, features]}. */
    private Tensor heads(Tensor x) {
        return x.reshape(1, x.size(0), -1, shape.features()).transpose(1, 2);
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

    /** Writes the tokens, and answers the pool by pages. */
    private Tensor put(Tensor pool, Tensor slots, Tensor added) {
        pool.indexCopy_(0, slots, added.transpose(1, 2).reshape(-1, shape.groups(), shape.features()));
        return pool.reshape(-1, PAGE, shape.groups(), shape.features());
    }
}
