package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;

/** Losses. */
final class LossTable {
    private LossTable() {}

    static void addTo(OpRegistry registry) {
        loss(registry, "mse_loss", "input target reduction");
        loss(registry, "l1_loss", "input target reduction");
        loss(registry, "smooth_l1_loss", "input target beta reduction");
        loss(registry, "huber_loss", "input target delta reduction");
        loss(registry, "cross_entropy", "input target weight ignore_index reduction label_smoothing");
        loss(registry, "nll_loss", "input target weight ignore_index reduction");
        loss(registry, "binary_cross_entropy", "input target weight reduction");
        loss(registry, "binary_cross_entropy_with_logits", "input target weight pos_weight reduction");
        loss(registry, "kl_div", "input target log_target reduction");
        loss(registry, "hinge_embedding_loss", "input target margin reduction");
        loss(registry, "margin_ranking_loss", "input1 input2 target margin reduction");
        loss(registry, "cosine_embedding_loss", "input1 input2 target margin reduction");
        loss(registry, "triplet_margin_loss", "anchor positive negative margin p eps swap reduction");
        loss(registry, "soft_margin_loss", "input target reduction");
        loss(registry, "gaussian_nll_loss", "input target var full eps reduction");
        loss(registry, "poisson_nll_loss", "input target log_input full eps reduction");
        loss(registry, "multi_margin_loss", "input target p margin weight reduction");
        loss(registry, "multilabel_margin_loss", "input target reduction");
        loss(registry, "multilabel_soft_margin_loss", "input target weight reduction");
        registry.one(
                "nn.functional.ctc_loss",
                call -> Functional.ctcLoss(
                        call.at(0, "log_probs").tensor(),
                        call.at(1, "targets").tensor(),
                        lengths(call, call.at(2, "input_lengths")),
                        lengths(call, call.at(3, "target_lengths")),
                        call.named("blank").integer(0),
                        call.named("reduction").choice(Reduction.class, Reduction.MEAN),
                        call.named("zero_infinity").bool(false)));
    }

    private static void loss(OpRegistry registry, String name, String order) {
        registry.typed("nn.functional." + name, order);
    }

    private static Tensor lengths(OpCall call, BoundArgument boundArgument) {
        return boundArgument.isTensor()
                ? boundArgument.tensor()
                : call.machine().tensor(boundArgument.sizes());
    }
}
