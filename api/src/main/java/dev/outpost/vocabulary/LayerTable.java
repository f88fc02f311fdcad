package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.BagMode;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Normalized;
import dev.outpost.nn.ScaledDotProductAttention;
import java.util.List;
import java.util.Map;

/** Layers without state, and distances. */
final class LayerTable {
    private static final Map<String, BagMode> BAGS =
            Map.of("sum", BagMode.SUM, "mean", BagMode.MEAN, "max", BagMode.MAX);

    private LayerTable() {}

    static void addTo(OpRegistry registry) {
        addLayers(registry);
        addNorms(registry);
        addPairs(registry);
        addDistances(registry);
    }

    private static void addLayers(OpRegistry registry) {
        registry.one("nn.functional.embedding_bag", LayerTable::embeddingBag);
        registry.one("nn.functional.one_hot", call -> {
            long classes = call.at(1, "num_classes").integer(-1);
            return classes == -1 ? Functional.oneHot(call.self()) : Functional.oneHot(call.self(), classes);
        });
    }

    private static Tensor embeddingBag(OpCall call) {
        Tensor indices = call.self();
        Tensor weight = call.at(1, "weight").tensor();
        Tensor offsets = call.named("offsets").tensorOrNull();
        BagMode mode = call.named("mode").choice(BAGS, BagMode.MEAN);
        Tensor rowWeights = call.named("per_sample_weights").tensorOrNull();
        return offsets == null
                ? Functional.embeddingBag(indices, weight, mode, rowWeights)
                : Functional.embeddingBag(indices, weight, offsets, mode, rowWeights);
    }

    private static void addNorms(OpRegistry registry) {
        registry.many(
                "native_layer_norm",
                call -> parts(Functional.nativeLayerNorm(
                        call.self(),
                        call.at(1, "normalized_shape").sizes(),
                        call.at(2, "weight").tensorOrNull(),
                        call.at(3, "bias").tensorOrNull(),
                        call.at(4, "eps").real(1e-5))));
        registry.many(
                "native_batch_norm",
                call -> parts(Functional.nativeBatchNorm(
                        call.self(),
                        call.at(1, "weight").tensorOrNull(),
                        call.at(2, "bias").tensorOrNull(),
                        call.at(3, "running_mean").tensorOrNull(),
                        call.at(4, "running_var").tensorOrNull(),
                        call.at(5, "training").bool(false),
                        call.at(6, "momentum").real(0.1),
                        call.at(7, "eps").real(1e-5))));
        registry.one(
                "nn.functional.instance_norm",
                call -> Functional.instanceNorm(
                        call.self(),
                        call.at(1, "running_mean").tensorOrNull(),
                        call.at(2, "running_var").tensorOrNull(),
                        call.at(3, "weight").tensorOrNull(),
                        call.at(4, "bias").tensorOrNull(),
                        call.named("momentum").real(0.1),
                        call.named("eps").real(1e-5)));
    }

    private static List<Tensor> parts(Normalized normalized) {
        return List.of(normalized.output(), normalized.mean(), normalized.inverseDeviation());
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

    /** Always returns the weights, also if the call does not request them. */
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
        registry.one(
                "nn.functional.pairwise_distance",
                call -> Functional.pairwiseDistance(
                        call.self(),
                        call.other(),
                        call.at(2, "p").real(2),
                        call.at(3, "eps").real(1e-6),
                        ReductionTable.keepDim(call, 4)));
    }
}
