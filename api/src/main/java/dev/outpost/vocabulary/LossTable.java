package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;
import java.util.Map;

/** Losses. */
final class LossTable {
    private static final Map<String, Reduction> REDUCTIONS = Map.of(
            "none", Reduction.NONE, "mean", Reduction.MEAN, "sum", Reduction.SUM, "batchmean", Reduction.BATCHMEAN);

    private LossTable() {}

    static void addTo(OpRegistry registry) {
        addDistanceLosses(registry);
        addClassLosses(registry);
        addMarginLosses(registry);
        addLikelihoodLosses(registry);
        addClassMarginLosses(registry);
    }

    static Reduction reduction(OpCall call) {
        return call.named("reduction").choice(REDUCTIONS, Reduction.MEAN);
    }

    private static Tensor target(OpCall call) {
        return call.at(1, "target").tensor();
    }

    private static Tensor weight(OpCall call) {
        return call.at(2, "weight").tensorOrNull();
    }

    private interface Plain {
        Tensor apply(Tensor input, Tensor target, Reduction reduction);
    }

    private static void plain(OpRegistry registry, String name, Plain op) {
        registry.one("nn.functional." + name, call -> op.apply(call.self(), target(call), reduction(call)));
    }

    private static void addDistanceLosses(OpRegistry registry) {
        plain(registry, "mse_loss", Functional::mseLoss);
        plain(registry, "l1_loss", Functional::l1Loss);
        registry.one(
                "nn.functional.smooth_l1_loss",
                call -> Functional.smoothL1Loss(
                        call.self(), target(call), call.named("beta").real(1), reduction(call)));
        registry.one(
                "nn.functional.huber_loss",
                call -> Functional.huberLoss(
                        call.self(), target(call), call.named("delta").real(1), reduction(call)));
    }

    private static void addClassLosses(OpRegistry registry) {
        registry.one(
                "nn.functional.cross_entropy",
                call -> Functional.crossEntropy(
                        call.self(),
                        target(call),
                        weight(call),
                        call.named("ignore_index").integer(-100),
                        reduction(call),
                        call.named("label_smoothing").real(0)));
        registry.one(
                "nn.functional.nll_loss",
                call -> Functional.nllLoss(
                        call.self(),
                        target(call),
                        weight(call),
                        call.named("ignore_index").integer(-100),
                        reduction(call)));
        registry.one(
                "nn.functional.binary_cross_entropy",
                call -> Functional.binaryCrossEntropy(call.self(), target(call), weight(call), reduction(call)));
        registry.one(
                "nn.functional.binary_cross_entropy_with_logits",
                call -> Functional.binaryCrossEntropyWithLogits(
                        call.self(),
                        target(call),
                        weight(call),
                        call.named("pos_weight").tensorOrNull(),
                        reduction(call)));
        registry.one(
                "nn.functional.kl_div",
                call -> Functional.klDiv(
                        call.self(), target(call), call.named("log_target").bool(false), reduction(call)));
    }

    private static double margin(OpCall call, double otherwise) {
        return call.named("margin").real(otherwise);
    }

    private static void addMarginLosses(OpRegistry registry) {
        registry.one(
                "nn.functional.hinge_embedding_loss",
                call -> Functional.hingeEmbeddingLoss(call.self(), target(call), margin(call, 1), reduction(call)));
        registry.one(
                "nn.functional.margin_ranking_loss",
                call -> Functional.marginRankingLoss(
                        call.self(), call.other(), call.at(2, "target").tensor(), margin(call, 0), reduction(call)));
        registry.one(
                "nn.functional.cosine_embedding_loss",
                call -> Functional.cosineEmbeddingLoss(
                        call.self(), call.other(), call.at(2, "target").tensor(), margin(call, 0), reduction(call)));
        registry.one(
                "nn.functional.triplet_margin_loss",
                call -> Functional.tripletMarginLoss(
                        call.self(),
                        call.other(),
                        call.at(2, "negative").tensor(),
                        margin(call, 1),
                        call.named("p").real(2),
                        call.named("eps").real(1e-6),
                        call.named("swap").bool(false),
                        reduction(call)));
    }

    private static void addLikelihoodLosses(OpRegistry registry) {
        plain(registry, "soft_margin_loss", Functional::softMarginLoss);
        registry.one(
                "nn.functional.gaussian_nll_loss",
                call -> Functional.gaussianNllLoss(
                        call.self(),
                        target(call),
                        call.at(2, "var").tensor(),
                        call.named("full").bool(false),
                        call.named("eps").real(1e-6),
                        reduction(call)));
        registry.one(
                "nn.functional.poisson_nll_loss",
                call -> Functional.poissonNllLoss(
                        call.self(),
                        target(call),
                        call.named("log_input").bool(true),
                        call.named("full").bool(false),
                        call.named("eps").real(1e-8),
                        reduction(call)));
    }

    private static void addClassMarginLosses(OpRegistry registry) {
        registry.one(
                "nn.functional.multi_margin_loss",
                call -> Functional.multiMarginLoss(
                        call.self(),
                        target(call),
                        call.named("p").real(1),
                        margin(call, 1),
                        weight(call),
                        reduction(call)));
        plain(registry, "multilabel_margin_loss", Functional::multilabelMarginLoss);
        registry.one(
                "nn.functional.multilabel_soft_margin_loss",
                call -> Functional.multilabelSoftMarginLoss(call.self(), target(call), weight(call), reduction(call)));
        registry.one(
                "nn.functional.ctc_loss",
                call -> Functional.ctcLoss(
                        call.at(0, "log_probs").tensor(),
                        call.at(1, "targets").tensor(),
                        lengths(call, call.at(2, "input_lengths")),
                        lengths(call, call.at(3, "target_lengths")),
                        call.named("blank").integer(0),
                        reduction(call),
                        call.named("zero_infinity").bool(false)));
    }

    private static Tensor lengths(OpCall call, BoundArgument boundArgument) {
        return boundArgument.isTensor()
                ? boundArgument.tensor()
                : call.machine().tensor(boundArgument.sizes());
    }
}
