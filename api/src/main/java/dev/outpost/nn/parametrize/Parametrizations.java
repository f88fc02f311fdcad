package dev.outpost.nn.parametrize;

import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** Registers the usual parametrizations (torch.nn.utils.parametrizations). Each method returns the module. */
public final class Parametrizations {
    private Parametrizations() {}

    /** Same as {@code weightNorm(module, "weight", 0)}. */
    public static <M extends Module> M weightNorm(M module) {
        return weightNorm(module, "weight", 0);
    }

    /** Trains the lengths of a weight separately from its directions; see {@link WeightNorm}. */
    public static <M extends Module> M weightNorm(M module, String name, int dim) {
        module.registerParametrization(name, new WeightNorm(dim));
        return module;
    }

    /**
     * Same as {@code spectralNorm(module, "weight", 1, 1e-12, 0)}; for transposed convolutions, the dimension is 1.
     */
    public static <M extends Module> M spectralNorm(M module) {
        return spectralNorm(module, "weight", 1, 1e-12, 0);
    }

    /**
     * Divides a weight by its largest singular value; see {@link SpectralNorm}.
     *
     * @param powerIterations the number of steps of the power iteration at each use in training
     * @param eps the number that keeps norms from zero
     * @param dim the dimension of outputs
     */
    public static <M extends Module> M spectralNorm(M module, String name, int powerIterations, double eps, int dim) {
        module.registerParametrization(name, new SpectralNorm(shape(module, name), powerIterations, eps, dim));
        return module;
    }

    private static Shape shape(Module module, String name) {
        Parameter parameter = module.namedParameters().get(name);
        if (parameter == null) {
            throw new OpException("spectral_norm", "there is no parameter called " + name);
        }
        return parameter.shape();
    }
}
