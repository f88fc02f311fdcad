package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.BagMode;
import dev.outpost.nn.Functional;
import dev.outpost.nn.ScaledDotProductAttention;
import java.util.List;

/** Layers without state, and distances. */
final class LayerTable {
    private LayerTable() {}

    static void addTo(OpRegistry registry) {
        addLayers(registry);
        addPairs(registry);
        addDistances(registry);
    }

    private static void addLayers(OpRegistry registry) {
        registry.one("nn.functional.embedding_bag", LayerTable::embeddingBag);
        registry.typed("nn.functional.instance_norm", "input running_mean running_var weight bias momentum eps");
        registry.one("nn.functional.one_hot", call -> {
            long classes = call.at(1, "num_classes").integer(-1);
            return classes == -1 ? Functional.oneHot(call.self()) : Functional.oneHot(call.self(), classes);
        });
    }

    private static Tensor embeddingBag(OpCall call) {
        Tensor indices = call.self();
        Tensor weight = call.at(1, "weight").tensor();
        Tensor offsets = call.named("offsets").tensorOrNull();
        BagMode mode = call.named("mode").choice(BagMode.class, BagMode.MEAN);
        Tensor rowWeights = call.named("per_sample_weights").tensorOrNull();
        return offsets == null
                ? Functional.embeddingBag(indices, weight, mode, rowWeights)
                : Functional.embeddingBag(indices, weight, offsets, mode, rowWeights);
    }

    private static void addPairs(OpRegistry registry) {
        registry.one(
                "nn.functional.unfold",
                call -> Functional.unfold(
                        call.self(),
                        call.at(1, "kernel_size").sizePair(1),
                        call.at(2, "dilation").sizePair(1),
                        call.at(3, "padding").sizePair(0),
                        call.at(4, "stride").sizePair(1)));
        registry.many("nn.functional._scaled_dot_product_attention", LayerTable::attention);
    }

    /** Always returns the weights, even if the call does not request them. */
    private static List<Tensor> attention(OpCall call) {
        call.named("need_attn_weights");
        if (call.named("dropout_p").real(0) != 0) {
            throw call.named("dropout_p").unsupported("0");
        }
        Tensor value = call.at(2, "value").tensor();
        ScaledDotProductAttention attention = Functional.scaledDotProductAttention(
                call.self(),
                call.at(1, "key").tensor(),
                value,
                call.named("is_causal").bool(false));
        attention.output().close();
        return List.of(attention.weights().matmul(value), attention.weights());
    }

    private static void addDistances(OpRegistry registry) {
        // PyTorch takes p=None for the Euclidean norm, though the signature names a plain number.
        registry.one(
                "nn.functional.normalize",
                call -> Functional.normalize(
                        call.self(),
                        call.at(1, "p").real(2),
                        call.at(2, "dim").dim(),
                        call.at(3, "eps").number().doubleValue()));
    }
}
