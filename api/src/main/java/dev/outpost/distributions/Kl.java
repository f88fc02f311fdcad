package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;

/** Kullback-Leibler divergences in closed form (torch.distributions.kl). */
public final class Kl {
    private Kl() {}

    /** Returns KL(p ‖ q), with the batch shape. Both must be of the same class. */
    public static Tensor divergence(Distribution p, Distribution q) {
        if (p.getClass() != q.getClass()) {
            throw new OpException("kl_divergence", "both must be of one kind, got " + p.name() + " and " + q.name());
        }
        return Scope.tidy(() -> switch (p) {
            case Normal normal -> normals(normal, (Normal) q);
            case Bernoulli bernoulli -> bernoullis(bernoulli, (Bernoulli) q);
            case Categorical categorical -> categoricals(categorical, (Categorical) q);
            case Exponential exponential -> exponentials(exponential, (Exponential) q);
            case Gamma gamma -> gammas(gamma, (Gamma) q);
            case Beta beta -> betas(beta, (Beta) q);
            case Dirichlet dirichlet -> dirichlets(dirichlet, (Dirichlet) q);
            case Laplace laplace -> laplaces(laplace, (Laplace) q);
            case Uniform uniform -> uniforms(uniform, (Uniform) q);
            case Geometric geometric -> geometrics(geometric, (Geometric) q);
            default -> throw new OpException("kl_divergence", "there is no closed form of " + p.name());
        });
    }

    private static Tensor normals(Normal p, Normal q) {
        Tensor ratio = p.scale().div(q.scale()).square();
        Tensor distance = p.location().sub(q.location()).div(q.scale()).square();
        return ratio.add(distance).sub(1).sub(ratio.log()).mul(0.5);
    }

    private static Tensor bernoullis(Bernoulli p, Bernoulli q) {
        Tensor gain = q.logits().softplus().sub(p.logits().softplus());
        return gain.add(p.probabilities().mul(p.logits().sub(q.logits())));
    }

    private static Tensor categoricals(Categorical p, Categorical q) {
        Tensor probabilities = p.probabilities();
        Tensor terms = probabilities.mul(p.logits().sub(q.logits()));
        return terms.maskedFill(q.probabilities().eq(0), Double.POSITIVE_INFINITY)
                .maskedFill(probabilities.eq(0), 0)
                .sum(-1);
    }

    private static Tensor exponentials(Exponential p, Exponential q) {
        Tensor ratio = q.rate().div(p.rate());
        return ratio.sub(ratio.log()).sub(1);
    }

    private static Tensor gammas(Gamma p, Gamma q) {
        Tensor scaled = q.concentration().mul(p.rate().div(q.rate()).log());
        Tensor norms = q.concentration().lgamma().sub(p.concentration().lgamma());
        Tensor shapes =
                p.concentration().sub(q.concentration()).mul(p.concentration().digamma());
        Tensor rates = q.rate().sub(p.rate()).mul(p.concentration().div(p.rate()));
        return scaled.add(norms).add(shapes).add(rates);
    }

    private static Tensor betas(Beta p, Beta q) {
        Tensor sum = p.first().add(p.second());
        Tensor others = q.first().add(q.second());
        Tensor norms = q.first()
                .lgamma()
                .add(q.second().lgamma())
                .add(sum.lgamma())
                .sub(p.first().lgamma())
                .sub(p.second().lgamma())
                .sub(others.lgamma());
        return norms.add(p.first().sub(q.first()).mul(p.first().digamma()))
                .add(p.second().sub(q.second()).mul(p.second().digamma()))
                .add(others.sub(sum).mul(sum.digamma()));
    }

    private static Tensor dirichlets(Dirichlet p, Dirichlet q) {
        Tensor sum = p.concentration().sum(-1, true);
        Tensor norms = sum.squeeze(-1).lgamma().sub(q.concentration().sum(-1).lgamma());
        Tensor each = p.concentration().lgamma().sub(q.concentration().lgamma());
        Tensor shapes = p.concentration()
                .sub(q.concentration())
                .mul(p.concentration().digamma().sub(sum.digamma()));
        return norms.sub(each.sum(-1)).add(shapes.sum(-1));
    }

    private static Tensor laplaces(Laplace p, Laplace q) {
        Tensor distance = p.location().sub(q.location()).abs();
        Tensor ratio = p.scale().div(q.scale());
        Tensor decay = distance.div(p.scale()).neg().exp();
        return ratio.log()
                .neg()
                .add(distance.div(q.scale()))
                .add(ratio.mul(decay))
                .sub(1);
    }

    private static Tensor uniforms(Uniform p, Uniform q) {
        Tensor result = q.high().sub(q.low()).div(p.high().sub(p.low())).log();
        Tensor outside = q.low().gt(p.low()).logicalOr(q.high().lt(p.high()));
        return result.maskedFill(outside, Double.POSITIVE_INFINITY);
    }

    private static Tensor geometrics(Geometric p, Geometric q) {
        Tensor logits = q.probabilities().neg().log1p();
        return p.entropy()
                .neg()
                .sub(logits.div(p.probabilities()))
                .sub(q.probabilities().log().sub(logits));
    }
}
